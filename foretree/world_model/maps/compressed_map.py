"""A map reduced to the nodes that matter, kept up to date as doors, blocked passages and the robot change.

**What is kept.** Some nodes are *terminals*: the assets that matter, the nodes that a goal names, the robot's
own. Between the terminals of one door-free component run *ways*: the cheapest ones through passages that are
free now, with all their way-points. A closed door that may be worth opening stays a passage of its own, and
its two sides become nodes that are kept as well.

**Which closed doors may be worth opening.** Let *D* be some of the closed doors, and *K* the terminals
together with the sides of *D*. Suppose that between any two nodes of *K* the cheapest free way costs no more
than the cheapest way that may also lead through the closed doors outside *D*. Then those doors can be
forgotten, and no plan gets more expensive: take a plan in which the robot acts at terminals only, apart from
opening doors. Cut the robot's walk wherever it acts at a terminal, and wherever it opens a door of *D* or
goes through one. Each piece joins two nodes of *K* and leads through free passages and doors outside *D*, so
by supposition a free way costs no more; what comes after the last cut serves no purpose. Put the free ways in
their place, and leave out the opening of doors outside *D*, which nothing needs any more: opening a door
changes nothing but that door.

Starting with no door, the doors on the cheapest ways are added to *D* until the supposition holds; it does at
the latest when *D* has every closed door. A door that lies on no simple way between terminals is never added.
For that, look at the blocks (biconnected components) and cut nodes of the map with all doors open, which form
a tree, and in it at the smallest subtree that holds the terminals. A door on no simple way between terminals
lies in a block outside that subtree. Cheapest ways are simple, and a simple way between nodes of the subtree
stays in it, because it cannot pass a cut node twice. So only doors in the subtree are added, and with them
only sides in the subtree. In particular the offices along a corridor that need not be entered vanish, however
many there are.

**Doors that a plan may close.** An open door that a plan may close is one of *D* from the start: it stays a
passage of its own that is free at first, and the ways go round it or end at it. So they hold whether it is
open or closed.

A door of *D* whose two sides are also joined by a free way (a detour) is a special case: a description of the
map by one cost for each pair of nodes could not tell the two apart. So the detour's first way-point is kept
too, and the detour runs through it.

**Ways through another kept node are left out**: they are those to that node and from there. Nothing is lost,
since lengths grow with every passage (see :mod:`~foretree.world_model.maps._incremental_search`), so what
remains is always made of shorter ways. With half as many ways, optimal plans are proved a little sooner, and
plans that are found without proof are cheaper.

**Hubs.** Where many ways run through the same way-point, that is kept too, and they are split there: between
the *n* things of one room and the *m* of another there are then *n + m* ways instead of *n m*.

**Keeping it up.** Each search for ways is kept and reaches only as far as the kept nodes are. When a door or
a passage changes, only what was found through it, or could now be found through it, is looked for again. When
the robot moves, the search from its new place is the only one. The roadmap itself depends on nothing but the
present state: the order of the changes leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from foretree.errors import suggest
from foretree.world_model.maps._incremental_search import IncrementalSearch, PassageNetwork, split_at_hubs
from foretree.world_model.maps.places import MapError, Passage, PassageState, Path, PlaceGraph


@dataclass(frozen=True)
class Roadmap:
    """A compressed map at one moment: the nodes that are kept, and the cheapest ways between them.

    Attributes:
        nodes: the nodes that are kept, in the map's order.
        ways: the cheapest free way between two of them, each pair once; :meth:`way` knows both directions.
        closed: the passages with closed doors that are kept, in the map's order.
        opened: the open doors among those that :meth:`CompressedMap.keep_doors` keeps.
        closable: the free passages with open doors that may be closed, in the map's order. No way has one.
    """

    nodes: tuple[str, ...]
    ways: Mapping[tuple[str, str], Path]
    closed: tuple[Passage, ...]
    opened: tuple[str, ...] = ()
    closable: tuple[Passage, ...] = ()

    def way(self, start: str, goal: str) -> tuple[str, ...]:
        """The way-points from one kept node to another, both included; through a kept door, once it is open.

        Raises:
            MapError: there is neither a way nor a door between them.
        """
        path = self.ways.get((start, goal))
        if path is not None:
            return path.nodes
        path = self.ways.get((goal, start))
        if path is not None:
            return path.nodes[::-1]
        if frozenset((start, goal)) in self._doorways:
            return (start, goal)
        raise MapError(f"The compressed map has no way from {start!r} to {goal!r}.")

    @cached_property
    def _doorways(self) -> frozenset[frozenset[str]]:
        return frozenset(
            frozenset((passage.one, passage.other)) for passage in (*self.closed, *self.closable)
        )


class CompressedMap:
    """The compressed map of some places. At first, all doors are open and no passage is blocked.

    Args:
        places: the map. It does not change as long as this is used.
        terminals: see :meth:`set_terminals`.

    Attributes:
        work: the number of nodes visited so far in searches.
    """

    def __init__(self, places: PlaceGraph, terminals: Iterable[str] = ()) -> None:
        self.places = places
        self.work = 0
        self._network = PassageNetwork(places)
        self._doors: dict[str, list[int]] = {}
        for number in self._network.doored:
            door = self._network.passages[number].door
            assert door is not None
            self._doors.setdefault(door, []).append(number)
        self._terminals: frozenset[int] = frozenset()
        self._robots: frozenset[int] = frozenset()
        self._kept_doors: frozenset[str] = frozenset()
        self._closing = False
        self._cache: dict[tuple[int, frozenset[int]], IncrementalSearch] = {}
        self._roadmap: Roadmap | None = None
        self.set_terminals(terminals)

    # -- what has changed --------------------------------------------------------------------------
    def set_terminals(self, nodes: Iterable[str]) -> None:
        """Set the nodes that matter.

        Raises:
            MapError: the map does not have one of them.
        """
        terminals = self._numbers(nodes)
        if terminals != self._terminals:
            self._terminals = terminals
            self._roadmap = None

    def robot_at(self, *nodes: str) -> None:
        """Set the node at which the robot stands, or each of several.

        Raises:
            MapError: the map does not have one of the nodes.
        """
        robots = self._numbers(nodes)
        if robots != self._robots:
            self._robots = robots
            self._roadmap = None

    def keep_doors(self, doors: Iterable[str], *, closing: bool = False) -> None:
        """Keep doors even if no way leads through them, such as those that a goal names.

        Args:
            doors: which ones.
            closing: whether those that are open may be closed.

        Raises:
            MapError: the map does not have one of them.
        """
        kept = frozenset(doors)
        for door in sorted(kept):
            self._door(door)
        if (kept, closing) != (self._kept_doors, self._closing):
            self._kept_doors, self._closing = kept, closing
            self._roadmap = None

    def set_door(self, door: str, is_open: bool) -> None:
        """Set the state of all passages of a door that are not blocked.

        Raises:
            MapError: the map does not have it.
        """
        for passage in self._door(door):
            if self._network.states[passage] is not PassageState.BLOCKED:
                self._change(passage, PassageState.FREE if is_open else PassageState.CLOSED)

    def set_passage(self, one: str, other: str, state: PassageState) -> None:
        """Set the state of the passage between two neighbours.

        Raises:
            MapError: there is no passage between them.
        """
        self._change(self._passage(one, other), state)

    def follow(self, state_of: Callable[[Passage], PassageState]) -> None:
        """Set the state of every passage; a door may be open in one of two passages."""
        for number, passage in enumerate(self._network.passages):
            self._change(number, state_of(passage))

    # -- asking ------------------------------------------------------------------------------------
    def is_open(self, door: str) -> bool:
        """Return whether no passage of a door is closed, as far as this map was told.

        Raises:
            MapError: the map does not have it.
        """
        return all(self._network.states[p] is not PassageState.CLOSED for p in self._door(door))

    def state(self, passage: Passage) -> PassageState:
        """The state of a passage, as far as this map was told."""
        return self._network.states[self._passage(passage.one, passage.other)]

    def situation(self) -> Hashable:
        """All that the roadmap depends on: the map, its state, and what matters of it."""
        network = self._network
        matters = self._terminals, self._robots, self._kept_doors, self._closing
        return network.names, network.passages, tuple(network.states), matters

    def roadmap(self) -> Roadmap:
        """The compressed map as it is now; the same object as long as nothing changes."""
        if self._roadmap is None:
            self._roadmap = self._make_roadmap()
        return self._roadmap

    # -- within ------------------------------------------------------------------------------------
    def _numbers(self, nodes: Iterable[str]) -> frozenset[int]:
        numbers = self._network.numbers
        found = set()
        for node in nodes:
            if node not in numbers:
                self.places.place(node)  # says what is wrong
            found.add(numbers[node])
        return frozenset(found)

    def _door(self, door: str) -> list[int]:
        passages = self._doors.get(door)
        if passages is None:
            raise MapError(f"The map has no door {door!r}. {suggest(door, self._doors)}")
        return passages

    def _passage(self, one: str, other: str) -> int:
        passage = self._network.between.get(self._numbers((one, other)))
        if passage is None:
            neighbours = ", ".join(sorted(self.places.neighbours(one)))
            raise MapError(
                f"The map has no passage between {one!r} and {other!r}. Next to {one!r}: "
                f"{neighbours or 'nothing'}."
            )
        return passage

    def _change(self, passage: int, state: PassageState) -> None:
        """Change the state of a passage, and update the searches."""
        if state is self._network.states[passage]:
            return
        mattered = {key for key, search in self._cache.items() if search.matters(passage)}
        self._network.set_state(passage, state)
        changed: dict[tuple[int, frozenset[int]], IncrementalSearch] = {}
        for key, search in self._cache.items():
            # A passage that was shut is no longer one of those that are closed.
            search.shut -= {passage}
            search.update(passage, key in mattered)
            changed[search.source, search.shut] = search
        self._cache = changed
        self._roadmap = None

    def _make_roadmap(self) -> Roadmap:
        network = self._network
        apart = {PassageState.CLOSED, PassageState.FREE} if self._closing else {PassageState.CLOSED}
        before = shut = frozenset(
            p for door in self._kept_doors for p in self._doors[door] if network.states[p] in apart
        )
        used: dict[tuple[int, frozenset[int]], IncrementalSearch] = {}
        waypoints: set[int] = set()
        while True:
            sides = {end for passage in shut for end in network.ends[passage]}
            rest = self._terminals | sides | waypoints
            # Robots come first, so that ways from where one stands are looked for from there.
            order = [*sorted(self._robots - rest), *sorted(rest)]
            ways: dict[tuple[int, int], IncrementalSearch] = {}
            closed: set[int] = set()
            for source, targets in self._partners(order, shut):
                search = used[source, shut] = self._search(source, shut, before)
                done = search.work
                search.reach(targets)
                self.work += search.work - done
                for target in targets:
                    ways[source, target] = search
                    if search.is_through_closed(target):
                        closed.update(search.closed_on(target))
            before = shut
            if closed:
                shut |= closed
                continue
            kept = frozenset(order)
            detours = {way[1] for way in self._detours(shut, ways) if kept.isdisjoint(way[1:-1])}
            if not detours:
                break
            waypoints |= detours
        self._cache = used
        network.forget_components({key[1] for key in used})
        return self._described(kept, ways, shut)

    def _partners(self, order: list[int], shut: frozenset[int]) -> Iterable[tuple[int, list[int]]]:
        """Each node with those that come after it and can be reached from it."""
        components = self._network.components(shut)
        groups: dict[int, list[int]] = {}
        for node in order:
            groups.setdefault(self._network.component(node, components), []).append(node)
        for group in groups.values():
            for index, node in enumerate(group[:-1]):
                yield node, group[index + 1 :]

    def _search(self, source: int, shut: frozenset[int], before: frozenset[int]) -> IncrementalSearch:
        search = self._cache.get((source, shut))
        if search is None:
            fewer_shut = self._cache.get((source, before))
            search = (
                fewer_shut.with_shut(shut - before)
                if fewer_shut
                else IncrementalSearch(self._network, source, shut)
            )
            self._cache[source, shut] = search
        return search

    def _detours(
        self, shut: Collection[int], ways: Mapping[tuple[int, int], IncrementalSearch]
    ) -> Iterable[tuple[int, ...]]:
        """The free ways from one side of a closed door that is kept to its other side."""
        for passage in sorted(shut):
            one, other = self._network.ends[passage]
            for start, goal in ((one, other), (other, one)):
                if (start, goal) in ways:
                    yield ways[start, goal].way(goal)

    def _described(
        self, kept: frozenset[int], ways: Mapping[tuple[int, int], IncrementalSearch], shut: frozenset[int]
    ) -> Roadmap:
        network, names = self._network, self._network.names
        direct = []
        for (_, target), search in ways.items():
            way = search.way(target)
            if kept.isdisjoint(way[1:-1]):
                direct.append(way)
        hubs, split = split_at_hubs(direct)
        kept |= hubs
        paths: dict[tuple[str, str], Path] = {}
        for way in split:
            cost = sum(network.passages[network.between[frozenset(step)]].cost for step in pairwise(way))
            paths[names[way[0]], names[way[-1]]] = Path(tuple(names[node] for node in way), cost)
        closed, closable = (
            tuple(network.passages[p] for p in sorted(shut) if network.states[p] is state)
            for state in (PassageState.CLOSED, PassageState.FREE)
        )
        return Roadmap(
            tuple(names[node] for node in sorted(kept)),
            paths,
            closed,
            tuple(
                door
                for door in sorted(self._kept_doors)
                if all(network.states[passage] is PassageState.FREE for passage in self._doors[door])
            ),
            closable,
        )
