"""Where things of which class usually lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias, get_args

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.schema import mistake_at
from foretree.simulation.homes.bodies import Bodies, ItemClass, Relation, load_bodies
from foretree.simulation.homes.geometry import Extent
from foretree.simulation.homes.home import Home, Rests, Thing

_RELATIONS: tuple[Relation, ...] = get_args(Relation)
#: How much of a place people cover with things before they use another.
_FULL = 0.35


class Usual(NamedTuple):
    """One place where things of a class lie: how, on furniture of which class, and how often."""

    relation: Relation
    place: str
    weight: float


Habits: TypeAlias = Mapping[str, Sequence[Usual]]


def load_habits(name: str = "habits") -> Habits:
    """The habits in a file of ``configs/homes``.

    Raises:
        ConfigError: there is no such file, or something in it makes no sense.
    """
    return _read(find_config("homes", name))


@cache
def _read(path: Path) -> Habits:
    bodies = load_bodies()
    return {name: _usual(path, name, places, bodies) for name, places in read_yaml(path).items()}


def _usual(path: Path, name: str, places: object, bodies: Bodies) -> tuple[Usual, ...]:
    if name not in bodies.items:
        raise mistake_at(path, (name,), f"there is no item {name!r}. {suggest(name, bodies.items)}")
    if not isinstance(places, dict) or not places:
        raise mistake_at(path, (name,), "say where it lies, as in {on counter: 2, in cabinet: 1}.")
    found = []
    for said, weight in places.items():
        how, _, place = str(said).partition(" ")
        relation = next((one for one in _RELATIONS if one == how), None)
        if place not in bodies.furniture:
            problem = f"there is no furniture {place!r}. {suggest(place, bodies.furniture)}"
            raise mistake_at(path, (name, said), problem)
        relations = bodies.furniture[place].relations
        if relation is None or relation not in relations:
            valid = ", ".join(f"{one} {place}" for one in relations) or "nothing"
            raise mistake_at(path, (name, said), f"things do not lie there like that. Valid: {valid}.")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or weight <= 0:
            raise mistake_at(path, (name, said), f"a weight is a number greater than 0, not {weight!r}.")
        found.append(Usual(relation, place, float(weight)))
    return tuple(found)


def place_of(
    home: Home,
    item: ItemClass,
    habits: Habits,
    rng: Random,
    but: Rests | None = None,
) -> tuple[Rests, Extent] | None:
    """Draw a place where a thing of a class could lie, by habit; on any surface if there is no usual one.

    Args:
        home: where.
        item: what.
        habits: where such things lie.
        rng: draws.
        but: where it must not lie.

    Returns:
        How it rests and where; None if there is no room anywhere.
    """
    drawn: list[tuple[float, Rests]] = []
    for usual in habits.get(item.name, ()):
        there = home.of_class(usual.place)
        for thing in there:
            # The largest of these keys is each one with the probability of its weight.
            key = rng.random() ** (len(there) / usual.weight)
            drawn.append((key, Rests(usual.relation, thing.id)))
    found = _first_with_room(home, item, [rests for _, rests in sorted(drawn, reverse=True)], rng, but)
    if found is not None:
        return found
    anywhere = [Rests("on", thing.id) for thing in home.furniture() if "on" in thing.body.relations]
    rng.shuffle(anywhere)
    return _first_with_room(home, item, anywhere, rng, but)


def _first_with_room(
    home: Home, item: ItemClass, ways: Sequence[Rests], rng: Random, but: Rests | None
) -> tuple[Rests, Extent] | None:
    for rests in ways:
        support = home[rests.support]
        if rests == but or _is_full(home, support, rests):
            continue
        relation = next(one for one in _RELATIONS if one == rests.relation)
        regions = home.regions(support, relation)
        z, (x0, y0, x1, y1), _ = rng.choice(regions)
        wish = (rng.uniform(x0, x1), rng.uniform(y0, y1), z)
        spot = home.spot(item.size, support, relation, wish)
        if spot is not None:
            return rests, spot
    return None


def _is_full(home: Home, support: Thing, rests: Rests) -> bool:
    relation = next(one for one in _RELATIONS if one == rests.relation)
    whole = sum((x1 - x0) * (y1 - y0) for _, (x0, y0, x1, y1), _ in home.regions(support, relation))
    there = [home[one].extent for one in support.load if home[one].rests == rests]
    return sum((x1 - x0) * (y1 - y0) for x0, y0, _, x1, y1, _ in there) > _FULL * whole
