"""Reading suites of household tasks: what a file may say, and the checks that a model of keys cannot make."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at, errors_at
from foretree.regression.homes._suite import MODES, SPLITS, HomesSuite, HomesVariant, Split, Sweep, variant_of
from foretree.regression.homes.household_tasks import FAMILIES
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes.layouts.spawning import Mode
from foretree.trees.agent_tree import read_agent, setting_as_text

_Value: TypeAlias = str | int | float | tuple[str, ...]
_Times: TypeAlias = Annotated[float, Field(ge=0)]


class _Variant(Strict):
    says: str = ""
    settings: dict[str, _Value] = Field(default_factory=dict)


class _Sweep(Strict):
    noise: Annotated[tuple[_Times, ...], Field(min_length=1)]
    variants: Annotated[tuple[str, ...], Field(min_length=1)]
    errands: int = Field(default=100, ge=1, le=1_000_000)


class _File(Strict):
    suite: str
    kind: Literal["homes"]
    says: str = ""
    agent: str = "homes"
    errands: int = Field(default=1, ge=1, le=1_000_000)
    things: int = Field(default=60, ge=1, le=1_000_000)
    noise: _Times = 1.0
    families: tuple[str, ...] = tuple(FAMILIES)
    modes: Annotated[tuple[Mode, ...], Field(min_length=1)] = MODES
    splits: Annotated[tuple[Split, ...], Field(min_length=1)] = SPLITS
    variants: dict[str, _Variant] = Field(min_length=1)
    sweep: _Sweep | None = None


def read_homes_suite(name_or_path: str) -> HomesSuite:
    """Read ``configs/suites/NAME.yaml``, or the file at that path.

    Raises:
        ConfigError: it cannot be read or says something that makes no sense: with the file, the line, the
            key, and what would have been valid there.
    """
    path = find_config("suites", name_or_path)
    file = validate(_File, read_yaml(path), path)
    for index, family in enumerate(file.families):
        _check(path, ("families", index), "family of tasks", family, FAMILIES)
    variants = {name: _variant(path, file.agent, name, entry) for name, entry in file.variants.items()}
    for index, name in enumerate(file.sweep.variants if file.sweep else ()):
        _check(path, ("sweep", "variants", index), "variant", name, variants)
    return HomesSuite(
        file.suite,
        file.families,
        variants,
        file.says,
        file.errands,
        file.agent,
        file.modes,
        file.splits,
        file.things,
        file.noise,
        Sweep(file.sweep.noise, file.sweep.variants, file.sweep.errands) if file.sweep else Sweep(),
    )


def _check(path: Path, where: KeyPath, kind: str, name: str, valid: Mapping[str, object]) -> None:
    if name not in valid:
        raise error_at(path, where, f"there is no {kind} {name!r}. {suggest(name, valid)}")


def _variant(path: Path, agent: str, name: str, entry: _Variant) -> HomesVariant:
    settings = {key: setting_as_text(value) for key, value in entry.settings.items()}
    where: KeyPath = ("variants", name, "settings")
    for key, value in settings.items():
        with errors_at(path, (*where, key)):
            read_agent(agent, {key: value})
    with errors_at(path, where):
        return variant_of(agent, name, entry.says, settings)
