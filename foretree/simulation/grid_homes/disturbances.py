"""Chance: hands that fail, and other people in the home."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol, TypeAlias

from foretree.simulation.grid_homes._object_classes import FurnitureClass, ItemClass
from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.spawn_priors import SpawnPriors, draw_placement, load_spawn_priors

#: How a manipulation goes: as it should; not, and the robot notices; not, and it does not notice.
ManipulationOutcome: TypeAlias = Literal["well", "fail", "silent"]
_KINDS = ("move", "lid", "switch", "wash")


@dataclass(frozen=True, slots=True)
class DisturbanceRates:
    """How likely it is that things go otherwise.

    Attributes:
        fail: that a manipulation fails and the robot notices.
        silent: that it fails and the robot does not notice.
        change: that somebody else changes something, per manipulation and per walk.
    """

    fail: float = 0.04
    silent: float = 0.02
    change: float = 1 / 40


class Disturbances(Protocol):
    """What decides how things go."""

    def next_outcome(self) -> ManipulationOutcome:
        """How the next manipulation goes."""
        ...

    def intervene(self, home: Home) -> tuple[str, tuple[str, ...]] | None:
        """Let somebody else change something, or not.

        Returns:
            What it was, in words, and the ids of what it was done to; None if nothing was.
        """
        ...


class _Sure:
    """Everything goes well, and nobody else is there."""

    def next_outcome(self) -> ManipulationOutcome:
        return "well"

    def intervene(self, home: Home) -> tuple[str, tuple[str, ...]] | None:
        return None


UNDISTURBED: Disturbances = _Sure()


class SeededDisturbances:
    """Chance that is the same whenever seed and controls are.

    The fate of the n-th manipulation, and what happens at the n-th occasion for somebody else, depend on the
    seed and on n alone: two robots that do different things in the same home have the same luck.
    """

    def __init__(
        self, seed: int | str, odds: DisturbanceRates | None = None, habits: SpawnPriors | None = None
    ) -> None:
        self._seed = seed
        self._odds = odds or DisturbanceRates()
        self._habits = habits or load_spawn_priors()
        self._manipulations = self._occasions = 0

    def next_outcome(self) -> ManipulationOutcome:
        """How the next manipulation goes."""
        self._manipulations += 1
        drawn = Random(f"{self._seed}/manner/{self._manipulations}").random()
        if drawn < self._odds.fail:
            return "fail"
        return "silent" if drawn < self._odds.fail + self._odds.silent else "well"

    def intervene(self, home: Home) -> tuple[str, tuple[str, ...]] | None:
        """Let somebody else change something, or not.

        Returns:
            What it was, in words, and the ids of what it was done to; None if nothing was.
        """
        self._occasions += 1
        rng = Random(f"{self._seed}/somebody/{self._occasions}")
        if rng.random() >= self._odds.change:
            return None
        kinds = list(_KINDS)
        rng.shuffle(kinds)
        for kind in kinds:
            if kind == "move":
                happened = self._move(home, rng)
            elif kind == "lid":
                happened = _flip(home, rng, "openable", "open", ("opened", "closed"))
            elif kind == "switch":
                happened = _flip(home, rng, "switchable", "turned_on", ("switched on", "switched off"))
            else:
                happened = _flip(home, rng, "dish", "clean", ("washed", "dirtied"))
            if happened is not None:
                return happened
        return None

    def _move(self, home: Home, rng: Random) -> tuple[str, tuple[str, ...]] | None:
        loose = [thing for thing in home.items() if _is_loose(home, thing)]
        if not loose:
            return None
        thing = rng.choice(loose)
        assert isinstance(thing.object_class, ItemClass)
        found = draw_placement(
            home, thing.object_class, self._habits, rng, lambda rests: rests != thing.rests
        )
        if found is None:
            return None
        rests, spot = found
        home.put(thing, rests, spot)
        return f"moved {thing.class_name} {rests.relation} {home[rests.support].class_name}", (thing.id,)


def _is_loose(home: Home, thing: HomeObject) -> bool:
    """Whether somebody could carry a thing elsewhere without spilling or dropping anything."""
    return not home.is_held(thing) and not thing.load and not thing.states & {"broken", "filled", "sliced"}


def _flip(
    home: Home, rng: Random, trait: str, state: str, words: tuple[str, str]
) -> tuple[str, tuple[str, ...]] | None:
    """Change a state of something that can be in it, as far as a sensible person would."""
    able = [
        thing
        for thing in home.things.values()
        if thing.can(trait) and not home.is_held(thing) and _is_harmless(home, thing, state)
    ]
    if not able:
        return None
    thing = rng.choice(able)
    value = state not in thing.states
    home.set_state(thing, state, value)
    return f"{words[0 if value else 1]} {thing.class_name}", (thing.id,)


def _is_harmless(home: Home, thing: HomeObject, state: str) -> bool:
    if "broken" in thing.states:
        return False
    if state == "open":
        return "turned_on" not in thing.states
    if state == "turned_on" and isinstance(thing.object_class, FurnitureClass) and state not in thing.states:
        # Nobody heats what must not be heated, or burns an empty pan: fires are left to whoever cooks.
        return "open" not in thing.states and not thing.object_class.traits & {"heats", "burns"}
    return True
