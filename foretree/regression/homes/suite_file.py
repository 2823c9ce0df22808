"""Reading suites of household tasks from their files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.regression.core.variants import VariantEntry, read_variants
from foretree.regression.homes._suite import MODES, SPLITS, HomesSuite, Split, Sweep, Times
from foretree.regression.homes.household_tasks import FAMILIES
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes.layouts.spawning import Mode


class _File(Strict):
    suite: str
    kind: Literal["homes"]
    says: str = ""
    agent: str = "homes"
    errands: int = Field(default=1, ge=1, le=1_000_000)
    things: int = Field(default=60, ge=1, le=1_000_000)
    noise: Times = 1.0
    families: tuple[str, ...] = tuple(FAMILIES)
    modes: Annotated[tuple[Mode, ...], Field(min_length=1)] = MODES
    splits: Annotated[tuple[Split, ...], Field(min_length=1)] = SPLITS
    variants: dict[str, VariantEntry] = Field(min_length=1)
    sweep: Sweep | None = None


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
    variants = read_variants(path, file.agent, file.variants)
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
        file.sweep,
    )


def _check(path: Path, where: KeyPath, kind: str, name: str, valid: Mapping[str, object]) -> None:
    if name not in valid:
        raise error_at(path, where, f"there is no {kind} {name!r}. {suggest(name, valid)}")
