"""The trials of ALFRED that are carried out, sampled evenly over rooms and types of tasks."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias, get_args

from foretree.errors import suggest
from foretree.regression.core.selection import Selection, SuiteError, seed_of
from foretree.regression.homes.suite import Errand, HomesSuite, read_homes_suite
from foretree.simulation.grid_homes.alfred.tasks import KINDS
from foretree.simulation.grid_homes.alfred.trials import AlfredTrial, read_trials

#: Which rooms, by their numbers.
RoomSplit: TypeAlias = Literal["even", "odd", "all"]
ROOM_SPLITS: tuple[RoomSplit, ...] = get_args(RoomSplit)
#: The suite whose variants, agent and sweep are taken.
VARIANTS_OF = "household"


@dataclass(frozen=True, slots=True)
class TrialErrand(Errand):
    """A trial of ALFRED's to be carried out.

    Attributes:
        trial: its name.
        room: the number of its room.
    """

    trial: str = ""
    room: int = 0

    @property
    def label(self) -> str:
        """The name of the trial."""
        return self.trial


@dataclass(frozen=True)
class AlfredSuite(HomesSuite):
    """Trials of ALFRED's, and the variants in which they are carried out.

    Attributes:
        folder: where they are.
        rooms: the numbers of the rooms that are wanted; all if there is none.
        parity: whether only rooms with even or with odd numbers are.
        described: whether the agent is given a description in people's own words instead of the goal.
        checked: whether homes are only made, and planned in.
    """

    folder: Path = Path()
    rooms: tuple[int, ...] = ()
    parity: RoomSplit = "all"
    described: bool = False
    checked: bool = False

    def all_errands(self, count: int | None = None, seed: int = 0) -> tuple[Errand, ...]:
        """The trials; if only so many are wanted, all types of tasks and all rooms as often as any other.

        Args:
            count: how many; all by default.
            seed: decides which, and the seeds of their homes.

        Raises:
            AlfredError: the trials cannot be read.
            SuiteError: there is none in these rooms.
        """
        known = read_trials(self.folder)
        if self.wanted:
            given = [known[name] for name in self.wanted]
        else:
            given = [trial for trial in known.values() if self._has(trial)]
            if not given:
                raise SuiteError(f"There are no trials in the rooms that were chosen of {self.folder}.")
        if count is not None and count < len(given):
            given = _sampled(given, count, Random(f"trials {seed}"))
        return tuple(_errand(number, trial, seed) for number, trial in enumerate(given))

    def _has(self, trial: AlfredTrial) -> bool:
        parity = ROOM_SPLITS[trial.room % 2]
        return (
            self.parity in ("all", parity)
            and (not self.rooms or trial.room in self.rooms)
            and KINDS.get(trial.kind, self.families[0]) in self.families
        )


def _errand(number: int, trial: AlfredTrial, seed: int) -> TrialErrand:
    # What is of no known type is told when its home is made.
    family = KINDS.get(trial.kind, trial.kind)
    begun = seed_of(seed, trial.name, 0)
    return TrialErrand(number, family, "diverse", "unseen", 0, begun, trial.name, trial.room)


def _sampled(trials: Sequence[AlfredTrial], count: int, rng: Random) -> list[AlfredTrial]:
    """So many trials: types of tasks in turn, each in the room that has had fewest."""
    left: dict[str, dict[int, deque[AlfredTrial]]] = {}
    for trial in rng.sample(trials, len(trials)):
        left.setdefault(trial.kind, {}).setdefault(trial.room, deque()).append(trial)
    had: Counter[int] = Counter()
    found: list[AlfredTrial] = []
    while len(found) < count:
        for kind in sorted(left):
            if len(found) == count or not left[kind]:
                continue
            room = min(left[kind], key=lambda one: had[one])
            had[room] += 1
            found.append(left[kind][room].popleft())
            if not left[kind][room]:
                del left[kind][room]
    return sorted(found, key=lambda trial: trial.name)


def open_alfred_suite(selection: Selection) -> AlfredSuite:
    """The suite as it is selected.

    Raises:
        AlfredError: the trials cannot be read.
        SuiteError: what was selected is not among them.
        ConfigError: the variants make no sense.
    """
    if selection.folder is None:
        raise SuiteError(
            "Say which folder: foretree regress alfred FOLDER carries out the trials of ALFRED in it."
        )
    base = read_homes_suite(VARIANTS_OF)
    if selection.ablate:
        base = base.ablated(selection.ablate)
    base = base.only(variants=selection.variants).revised_by(selection.revisers)
    families, wanted = _chosen(selection.folder, selection.only)
    return AlfredSuite(
        name="alfred",
        families=families,
        variants=base.variants,
        peer=base.peer,
        says="ALFRED's tasks in homes made of its rooms, with the variants of the suite household.",
        agent=base.agent,
        modes=("diverse",),
        splits=("unseen",),
        noise=base.noise if selection.noise is None else selection.noise,
        persistence=base.persistence if selection.persistence is None else selection.persistence,
        sweep=base.sweep,
        wanted=wanted,
        revisers=base.revisers,
        folder=selection.folder,
        rooms=selection.rooms,
        parity=_parity(selection.splits),
        described=selection.descriptions,
        checked=selection.check,
    )


def _parity(splits: Iterable[str]) -> RoomSplit:
    said = set(splits)
    for one in said:
        if one not in ROOM_SPLITS:
            raise SuiteError(f"There is no split {one!r} of ALFRED's rooms. {suggest(one, ROOM_SPLITS)}")
    return next((one for one in ROOM_SPLITS if said == {one}), "all")


def _chosen(folder: Path, names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The families and the trials that are meant by names of families, of types of tasks, and of trials."""
    known = read_trials(folder)
    families, trials = [], []
    for name in dict.fromkeys(names):
        if name in KINDS or name in KINDS.values():
            families.append(KINDS.get(name, name))
        elif name in known:
            trials.append(name)
        else:
            raise SuiteError(
                f"Among the trials in {folder} there is no type of task and no trial {name!r}. "
                f"{suggest(name, [*KINDS, *known])}"
            )
    return tuple(families) or tuple(KINDS.values()), tuple(trials)
