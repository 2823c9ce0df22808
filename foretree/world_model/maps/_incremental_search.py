"""Cheapest ways from one node, found as far as they are asked for, and repaired when the map changes.

A search is Dijkstra's algorithm that can be taken up again. Each length is one integer that orders ways by
what they cost, then by the closed doors on them, then by the number of passages. So of two ways of the same
cost the one through fewer closed doors wins: a way that goes through one is cheaper than every way that does
not. And every passage lengthens a way, also one that costs nothing. Among ways of equal length the one is
taken whose nodes, seen from its end, come first on the map; so it does not matter in which order things
became known.

Hubs are way-points at which many ways are split, so that fewer ways connect the same nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

from foretree.world_model.maps.places import Passage, PassageState, PlaceGraph

#: The nodes of a way, both ends included, by number.
Way: TypeAlias = "tuple[int, ...]"

#: How many ways a hub must save: it is one more place for a robot to be.
_LEAST_GAIN = 2


def split_at_hubs(ways: Sequence[Way]) -> tuple[frozenset[int], list[Way]]:
    """The hubs, and the ways with those through a hub split there.

    All *ways* are cheapest, and so are their parts: what can be reached on them still can, at the same cost.
    """
    hubs: set[int] = set()
    left = {_ends(way): way for way in ways}
    while True:
        through: Counter[int] = Counter()
        ends: dict[int, set[int]] = {}
        for way in left.values():
            for node in way[1:-1]:
                through[node] += 1
                ends.setdefault(node, set()).update((way[0], way[-1]))
        gain, hub = max(((times - len(ends[n]), -n) for n, times in through.items()), default=(0, 0))
        if gain < _LEAST_GAIN:
            return frozenset(hubs), list(left.values())
        hub = -hub
        hubs.add(hub)
        left = {_ends(way): way for way in _split(left.values(), hub)}


def _split(ways: Iterable[Way], hub: int) -> Iterable[Way]:
    for way in ways:
        if hub in way[1:-1]:
            at = way.index(hub)
            yield way[: at + 1]
            yield way[at:]
        else:
            yield way


def _ends(way: Way) -> tuple[int, int]:
    return (way[0], way[-1]) if way[0] < way[-1] else (way[-1], way[0])


#: Longer than any way: the length of what is blocked, and of ways that are not known.
FAR = 1 << 62


class PassageNetwork:
    """The nodes and passages of a map by number, and the state that each passage is in.

    Attributes:
        names: the nodes; a node's number is its index.
        passages: the passages; a passage's number is its index.
        dead_end: for each node, whether it has one neighbour only.
        around: for each node, its neighbours, each with the passage that leads there.
        door_length: what a closed door adds to a length: more than all that counts less.
        cost_length: the same for a unit of cost.
        lengths: the length of each passage; :data:`FAR` while it is blocked.
    """

    def __init__(self, places: PlaceGraph) -> None:
        self.names = tuple(place.name for place in places.places())
        self.numbers: Mapping[str, int] = {name: number for number, name in enumerate(self.names)}
        self.passages: tuple[Passage, ...] = tuple(places.passages())
        self.ends = [(self.numbers[p.one], self.numbers[p.other]) for p in self.passages]
        self.around: list[list[tuple[int, int]]] = [[] for _ in self.names]
        for passage, (one, other) in enumerate(self.ends):
            self.around[one].append((other, passage))
            self.around[other].append((one, passage))
        for neighbours in self.around:
            neighbours.sort()
        self.dead_end = bytearray(len(neighbours) == 1 for neighbours in self.around)
        self.between = {frozenset(ends): passage for passage, ends in enumerate(self.ends)}
        self.doored = tuple(number for number, p in enumerate(self.passages) if p.door is not None)
        self.door_length = len(self.names) + 1
        self.cost_length = self.door_length * (len(self.doored) + 1)
        self.states = [PassageState.FREE] * len(self.passages)
        self.lengths = [self._length(p, PassageState.FREE) for p in self.passages]
        #: For each node the part of the map that it is in when all doors count as walls.
        self._regions = [-1] * len(self.names)
        self._region_count = 0
        for node in range(len(self.names)):
            if self._regions[node] < 0:
                self._new_region(node)
        self._joined: dict[frozenset[int], list[int]] = {}

    def set_state(self, passage: int, state: PassageState) -> None:
        """Change the state of a passage."""
        before = self.states[passage]
        self.states[passage] = state
        self.lengths[passage] = self._length(self.passages[passage], state)
        if PassageState.BLOCKED in (before, state):
            self._joined.clear()
            if self.passages[passage].door is None:
                # Two nodes that were one region may be apart now, or two regions one.
                for end in self.ends[passage]:
                    self._new_region(end)

    def components(self, shut: frozenset[int]) -> list[int]:
        """Connected components by all passages but those *shut* or blocked; for :meth:`component`."""
        joined = self._joined.get(shut)
        if joined is None:
            joined = list(range(self._region_count))
            for passage in self.doored:
                if self.lengths[passage] != FAR and passage not in shut:
                    one, other = self.ends[passage]
                    a, b = _root(joined, self._regions[one]), _root(joined, self._regions[other])
                    joined[max(a, b)] = min(a, b)
            self._joined[shut] = joined
        return joined

    def component(self, node: int, components: list[int]) -> int:
        """The number of the component that a node is in."""
        return _root(components, self._regions[node])

    def forget_components(self, but: Collection[frozenset[int]]) -> None:
        """Forget all components but those computed for one of *but*."""
        self._joined = {shut: joined for shut, joined in self._joined.items() if shut in but}

    def _length(self, passage: Passage, state: PassageState) -> int:
        if state is PassageState.BLOCKED:
            return FAR
        return passage.cost * self.cost_length + (self.door_length if state is PassageState.CLOSED else 0) + 1

    def _new_region(self, node: int) -> None:
        region = self._region_count
        self._region_count += 1
        self._regions[node] = region
        todo = [node]
        while todo:
            for other, passage in self.around[todo.pop()]:
                if (
                    self._regions[other] != region
                    and self.passages[passage].door is None
                    and self.lengths[passage] != FAR
                ):
                    self._regions[other] = region
                    todo.append(other)


def _root(parents: list[int], region: int) -> int:
    while parents[region] != region:
        parents[region] = parents[parents[region]]
        region = parents[region]
    return region


class IncrementalSearch:
    """The cheapest ways from *source* through all passages but those *shut* or blocked.

    Between two calls of :meth:`reach`, lengths may be out of date; then they are only too long. When the
    length of a passage is to change, ask first whether it :meth:`matters`, and :meth:`update` afterwards:
    what was found stays as far as it did not come through that passage.
    """

    __slots__ = ("_best", "_heap", "_network", "_settled", "_through", "_ways", "shut", "source", "work")

    def __init__(self, network: PassageNetwork, source: int, shut: frozenset[int]) -> None:
        self.source = source
        self.shut = shut
        #: How many nodes were settled so far.
        self.work = 0
        self._network = network
        # By node: how far it is, the passage by which it is reached (or -1), and whether both are final.
        self._best = [FAR] * len(network.names)
        self._best[source] = 0
        self._through = [-1] * len(network.names)
        self._settled = bytearray(len(network.names))
        self._heap = [(0, source)]
        self._ways: dict[int, tuple[int, ...]] = {}

    def with_shut(self, passages: Iterable[int]) -> IncrementalSearch:
        """The same search with more passages shut; this one stays as it is."""
        twin = IncrementalSearch(self._network, self.source, self.shut)
        twin._best = list(self._best)
        twin._through = list(self._through)
        twin._settled = bytearray(self._settled)
        twin._heap = list(self._heap)
        twin._ways = dict(self._ways)
        for passage in sorted(passages):
            mattered = twin.matters(passage)
            twin.shut |= {passage}
            twin.update(passage, mattered)
        return twin

    def reach(self, targets: Collection[int]) -> None:
        """Search on until the way to each of the *targets* is known; all must be reachable."""
        best, settled, through, heap, shut = self._best, self._settled, self._through, self._heap, self.shut
        network = self._network
        around, lengths, dead_end = network.around, network.lengths, network.dead_end
        missing = {target for target in targets if not settled[target]}
        while heap and (missing or heap[0][0] <= max([best[target] for target in targets])):
            length, node = heappop(heap)
            if settled[node] or best[node] != length:
                continue
            self.work += 1
            settled[node] = True
            missing.discard(node)
            for other, passage in around[node]:
                further = length + lengths[passage]
                if further < best[other] and passage not in shut:
                    best[other] = further
                    through[other] = passage
                    if dead_end[other]:
                        # There is no other way to it than this one.
                        settled[other] = True
                        missing.discard(other)
                    else:
                        settled[other] = False
                        heappush(heap, (further, other))

    def is_through_closed(self, target: int) -> bool:
        """Return whether the way to a node that was reached goes through a closed door."""
        return self._best[target] % self._network.cost_length >= self._network.door_length

    def way(self, target: int) -> tuple[int, ...]:
        """The nodes of the way to a node that was reached, both ends included."""
        way = self._ways.get(target)
        if way is None:
            nodes = [target]
            while nodes[-1] != self.source:
                node = nodes[-1]
                around = self._network.around[node]
                nodes.append(next(here for here, passage in around if self._leads(passage, here, node)))
            way = self._ways[target] = tuple(reversed(nodes))
        return way

    def closed_on(self, target: int) -> list[int]:
        """The passages with closed doors on the way to a node that was reached."""
        network = self._network
        passages = (network.between[frozenset(step)] for step in pairwise(self.way(target)))
        return [passage for passage in passages if network.states[passage] is PassageState.CLOSED]

    def matters(self, passage: int) -> bool:
        """Return whether a cheapest way known so far comes through a passage; there may be others as good."""
        one, other = self._network.ends[passage]
        return self._leads(passage, one, other) or self._leads(passage, other, one)

    def update(self, passage: int, mattered: bool) -> None:
        """Repair the search after the length of a passage has changed, or the passage was shut.

        Args:
            passage: which one.
            mattered: whether it :meth:`matters` by the former length.
        """
        ends = self._network.ends[passage]
        changed = mattered
        for end in ends:
            if self._through[end] == passage:
                self._detach(end)
                changed = True
        for here, there in (ends, ends[::-1]):
            changed = self._offer(here, there, passage) or changed
        if changed:
            self._ways.clear()

    def _leads(self, passage: int, here: int, there: int) -> bool:
        return (
            self._best[here] + self._network.lengths[passage] == self._best[there]
            and bool(self._settled[here] and self._settled[there])
            and passage not in self.shut
        )

    def _offer(self, here: int, there: int, passage: int) -> bool:
        """Reach *there* from *here*, if that is not longer than what is known; whether it is so."""
        length = self._best[here] + self._network.lengths[passage]
        if length >= FAR or length > self._best[there] or not self._settled[here] or passage in self.shut:
            return False
        if length < self._best[there]:
            self._best[there] = length
            self._through[there] = passage
            self._settled[there] = False
            heappush(self._heap, (length, there))
        return True

    def _detach(self, node: int) -> None:
        """Forget how *node* was reached, and all that was reached through it; reach them from the others."""
        around, through = self._network.around, self._through
        detached = [node]
        for gone in detached:
            detached += [o for o, passage in around[gone] if through[o] == passage != through[gone]]
        for gone in detached:
            self._best[gone], through[gone], self._settled[gone] = FAR, -1, False
        for gone in detached:
            for other, passage in around[gone]:
                self._offer(other, gone, passage)
