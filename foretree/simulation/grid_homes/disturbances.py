"""Disturbances in a home: manipulations that fail, and changes made by other people."""

from __future__ import annotations

from random import Random
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from foretree.schema import Strict
from foretree.simulation.grid_homes._object_classes import FurnitureClass, ItemClass
from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.spawning import draw_placement, load_spawn_priors

#: How a manipulation ends: as it should; without effect, and the robot notices; without effect, unnoticed.
ManipulationOutcome: TypeAlias = Literal["well", "fail", "silent"]
#: A change made by other people: in words, and the ids of what was changed.
Intervention: TypeAlias = tuple[str, tuple[str, ...]]
#: By kind of change the trait of what can be in a state, the state, and words for entering and leaving it.
_STATE_CHANGES = {
    "lid": ("openable", "open", "opened", "closed"),
    "switch": ("switchable", "turned_on", "switched on", "switched off"),
    "wash": ("dish", "clean", "washed", "dirtied"),
}
_Rate = Annotated[float, Field(ge=0, le=1)]


class DisturbanceRates(Strict):
    """Rates of disturbances.

    Attributes:
        fail: a manipulation fails and the robot notices.
        silent: a manipulation fails and the robot does not notice.
        change: other people change something, per manipulation and per walk.
    """

    fail: _Rate
    silent: _Rate
    change: _Rate

    def times(self, factor: float) -> DisturbanceRates:
        """All rates *factor* times as large, as far as rates can be."""
        fail = min(1, self.fail * factor)
        silent = min(1 - fail, self.silent * factor)
        return DisturbanceRates(fail=fail, silent=silent, change=min(1, self.change * factor))


UNDISTURBED = DisturbanceRates(fail=0, silent=0, change=0)


class Disturbances:
    """Disturbances that are the same whenever seed and controls are.

    The outcome of the n-th manipulation, and what happens at the n-th occasion for other people, depend on
    the seed and on n alone: two robots that do different things in the same home have the same luck.
    """

    def __init__(self, seed: int | str, rates: DisturbanceRates) -> None:
        self._seed = seed
        self._rates = rates
        self._manipulations = self._occasions = 0

    def next_outcome(self) -> ManipulationOutcome:
        """The outcome of the next manipulation."""
        self._manipulations += 1
        drawn = Random(f"{self._seed}/manner/{self._manipulations}").random()
        if drawn < self._rates.fail:
            return "fail"
        return "silent" if drawn < self._rates.fail + self._rates.silent else "well"

    def intervene(self, home: Home) -> Intervention | None:
        """Let other people change something, or not."""
        self._occasions += 1
        rng = Random(f"{self._seed}/somebody/{self._occasions}")
        if rng.random() >= self._rates.change:
            return None
        kinds = ["move", *_STATE_CHANGES]
        rng.shuffle(kinds)
        for kind in kinds:
            change = _move(home, rng) if kind == "move" else _flip(home, rng, *_STATE_CHANGES[kind])
            if change is not None:
                return change
        return None


def _move(home: Home, rng: Random) -> Intervention | None:
    """Carry something elsewhere that can be carried without spilling or dropping anything."""
    unmovable = {"broken", "filled", "sliced"}
    loose = [
        thing
        for thing in home.items()
        if not home.is_held(thing) and not thing.load and not thing.states & unmovable
    ]
    if not loose:
        return None
    thing = rng.choice(loose)
    assert isinstance(thing.object_class, ItemClass)
    found = draw_placement(
        home, thing.object_class, load_spawn_priors(), rng, lambda rests: rests != thing.rests
    )
    if found is None:
        return None
    rests, spot = found
    home.put(thing, rests, spot)
    return f"moved {thing.class_name} {rests.relation} {home[rests.support].class_name}", (thing.id,)


def _flip(home: Home, rng: Random, trait: str, state: str, entered: str, left: str) -> Intervention | None:
    """Change a state of something that can be in it, as far as a sensible person would."""
    able = [
        thing
        for thing in home.things.values()
        if thing.can(trait) and not home.is_held(thing) and is_harmless(thing, state)
    ]
    if not able:
        return None
    thing = rng.choice(able)
    value = state not in thing.states
    home.set_state(thing, state, value)
    return f"{entered if value else left} {thing.class_name}", (thing.id,)


def is_harmless(thing: HomeObject, state: str) -> bool:
    """Tell whether a sensible person would change a state of a thing, as the thing is now."""
    if "broken" in thing.states:
        return False
    if state == "open":
        return "turned_on" not in thing.states
    if state == "turned_on" and isinstance(thing.object_class, FurnitureClass) and state not in thing.states:
        # Heating what must not be heated, or burning an empty pan, is left to the robot.
        return "open" not in thing.states and not thing.object_class.traits & {"heats", "burns"}
    return True
