"""Suites of household tasks in grid homes, and the variants that are compared on them.

An *errand* is a task in a home: both follow from a family of tasks, how things begin, which homes are drawn
from, and a seed. A *trial* is an errand carried out in one variant, with so much noise. All variants are sent
on the same errands, so that they can be compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar, get_args

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.regression.core.selection import SuiteError, chosen, seed_of
from foretree.regression.core.variants import AgentVariant, VariantEntry, read_variants, revised_by
from foretree.regression.homes.household_tasks import FAMILIES
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes.layouts.spawning import Mode

N = TypeVar("N", bound=str)

#: Which layouts homes have: those of the families that may be learned from, or the others.
Split: TypeAlias = Literal["seen", "unseen"]

#: How many times the default noise.
Times: TypeAlias = Annotated[float, Field(ge=0)]

MODES: tuple[Mode, ...] = get_args(Mode)
SPLITS: tuple[Split, ...] = get_args(Split)

#: What stands for all guards at once where guards are named.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Errand:
    """A task in a home, before either is drawn.

    Attributes:
        number: its place in the suite.
        family: the family of the task.
        mode: how everything begins.
        split: which layouts the home can have.
        turn: which errand of its kind it is.
        seed: decides the task, the home, and everything that is left to chance in it.
    """

    number: int
    family: str
    mode: Mode
    split: Split
    turn: int
    seed: int

    @property
    def label(self) -> str:
        """Name by which it can be asked for."""
        return f"{self.family}/{self.mode}/{self.split}/{self.turn}"


class Sweep(Strict):
    """Sweep over amounts of noise.

    Attributes:
        noise: how many times the default noise.
        variants: those that are compared.
        errands: how many errands at each point.
    """

    noise: Annotated[tuple[Times, ...], Field(min_length=1)]
    variants: Annotated[tuple[str, ...], Field(min_length=1)]
    errands: int = Field(default=100, ge=1, le=1_000_000)


@dataclass(frozen=True)
class HomesSuite:
    """Household tasks in grid homes, and the variants in which they are done.

    Attributes:
        name: what it is called.
        families: the families of tasks.
        variants: by name; the first is what the others are compared with.
        says: one sentence for a person.
        errands: how many errands there are by default.
        agent: the agent's file.
        modes: how things begin.
        splits: which layouts are drawn from.
        things: how many things there are in a home, furniture included.
        noise: how many times the default noise.
        persistence: over how many metres errors of views last, instead of what the noise's file says.
        peer: the variant that is the fairest to compare with, by name; empty if none is.
        sweep: how success depends on noise is measured; None if it is not.
        wanted: the errands that are wanted, by label; all if none is.
        revisers: who is asked when something is wrong, instead of what the variants say.
    """

    name: str
    families: tuple[str, ...]
    variants: Mapping[str, AgentVariant]
    says: str = ""
    errands: int = 1
    agent: str = "homes"
    modes: tuple[Mode, ...] = MODES
    splits: tuple[Split, ...] = SPLITS
    things: int = 60
    noise: float = 1.0
    persistence: float | None = None
    peer: str = ""
    sweep: Sweep | None = None
    wanted: tuple[str, ...] = ()
    revisers: tuple[str, ...] = ()

    @property
    def reference(self) -> AgentVariant:
        """The variant that the others are compared with."""
        return next(iter(self.variants.values()))

    def stands_for(self, variant: AgentVariant) -> str:
        """The guard whose worth the comparison with a variant shows; ``all`` for all, also of the peer's."""
        return ALL if variant.name == self.peer else self.without(variant)

    def all_errands(self, count: int | None = None, seed: int = 0) -> tuple[Errand, ...]:
        """The errands: families in turn, each in every mode and split as often as in any other.

        Args:
            count: how many; by default as many as the suite says, or those that are wanted.
            seed: decides the seeds of the errands.
        """
        if self.wanted:
            return tuple(
                _errand(number, *_read_label(self.name, label), seed)
                for number, label in enumerate(self.wanted)
            )
        kinds = [(mode, split) for split in self.splits for mode in self.modes]
        found = []
        for number in range(self.errands if count is None else count):
            turn, index = divmod(number, len(self.families))
            mode, split = kinds[(turn + index) % len(kinds)]
            found.append(_errand(number, self.families[index], mode, split, turn // len(kinds), seed))
        return tuple(found)

    def without(self, variant: AgentVariant) -> str:
        """The guard without which a variant is the reference; ``all`` for all; empty if more differs."""
        reference = self.reference
        if variant.otherwise != reference.otherwise:
            return ""
        gone = [guard for guard in reference.guards if guard not in variant.guards]
        if set(variant.guards) - set(reference.guards) or not gone:
            return ""
        return gone[0] if len(gone) == 1 else ALL if not variant.guards else ""

    # -- choosing ----------------------------------------------------------------------------------
    def only(
        self,
        names: Iterable[str] = (),
        variants: Iterable[str] = (),
        modes: Iterable[str] = (),
        splits: Iterable[str] = (),
    ) -> HomesSuite:
        """The suite with these only; an empty choice leaves all.

        Args:
            names: families, or errands by label.
            variants: by name.
            modes: how things begin.
            splits: which layouts are drawn from.

        Raises:
            SuiteError: there is none of that name.
        """
        given = list(dict.fromkeys(names))
        labels = [name for name in given if "/" in name]
        families = chosen("family", self.name, _named(self.families), [n for n in given if n not in labels])
        for label in labels:
            chosen("family", self.name, _named(self.families), [_read_label(self.name, label)[0]])
        return replace(
            self,
            families=tuple(families),
            variants=chosen("variant", self.name, self.variants, variants),
            modes=tuple(chosen("mode", self.name, _named(self.modes), modes).values()),
            splits=tuple(chosen("split", self.name, _named(self.splits), splits).values()),
            wanted=tuple(labels),
        )

    def ablated(self, parts: Iterable[str]) -> HomesSuite:
        """The suite with the reference and what becomes of it without some parts.

        Without all guards there is the peer, too.

        Args:
            parts: guards, ``all`` for all of them at once, or variants by name.

        Raises:
            SuiteError: no variant leaves that out.
        """
        known: dict[str, str] = {name: name for name in self.variants}
        for name, variant in self.variants.items():
            if part := self.without(variant):
                known.setdefault(part, name)
        wanted = [self.reference.name]
        for part in parts:
            if part not in known:
                raise SuiteError(
                    f"The suite {self.name} has no variant without {part!r}. {suggest(part, known)}"
                )
            wanted += (
                [self.peer, known[part]] if part == ALL and self.peer in self.variants else [known[part]]
            )
        return replace(self, variants=chosen("variant", self.name, self.variants, wanted))

    def revised_by(self, revisers: Iterable[str]) -> HomesSuite:
        """The suite with these revisers in every variant that revises plans; none named leaves all.

        Raises:
            ConfigError: there is no such reviser.
        """
        names = tuple(revisers)
        return replace(self, variants=revised_by(self.agent, self.variants, names), revisers=names)


def _errand(number: int, family: str, mode: Mode, split: Split, turn: int, seed: int) -> Errand:
    return Errand(number, family, mode, split, turn, seed_of(seed, f"{family}/{mode}/{split}", turn))


def _read_label(suite: str, label: str) -> tuple[str, Mode, Split, int]:
    """Parts of an errand's label.

    Raises:
        SuiteError: it says nothing.
    """
    family, *rest = label.split("/")
    if len(rest) == 3 and rest[2].isdecimal():
        for mode in MODES:
            for split in SPLITS:
                if rest[:2] == [mode, split]:
                    return family, mode, split, int(rest[2])
    raise SuiteError(
        f"The suite {suite} has no errand {label!r}. An errand is called FAMILY/MODE/SPLIT/NUMBER, for "
        f"example {family}/diverse/unseen/0; modes are {' and '.join(MODES)}, splits {' and '.join(SPLITS)}."
    )


def _named(names: Sequence[N]) -> dict[str, N]:
    return {name: name for name in names}


# -- the file ------------------------------------------------------------------------------------------


class _File(Strict):
    suite: str
    kind: Literal["homes"]
    says: str = ""
    agent: str = "homes"
    errands: int = Field(default=1, ge=1, le=1_000_000)
    things: int = Field(default=60, ge=1, le=1_000_000)
    noise: Times = 1.0
    persistence: Times | None = None
    peer: str = ""
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
    if file.peer:
        _check(path, ("peer",), "variant", file.peer, variants)
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
        file.persistence,
        file.peer,
        file.sweep,
    )


def _check(path: Path, where: KeyPath, kind: str, name: str, valid: Mapping[str, object]) -> None:
    if name not in valid:
        raise error_at(path, where, f"there is no {kind} {name!r}. {suggest(name, valid)}")
