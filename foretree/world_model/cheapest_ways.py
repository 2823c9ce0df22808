"""Cheapest ways from one node, found as far as somebody asks, and kept while the map around them changes.

A search is Dijkstra's algorithm that can be taken up again. Each length is one integer that orders ways by
what they cost, then by the closed doors on them, then by the number of passages. So of two ways of the same
cost the one through fewer closed doors wins: a way that goes through one is cheaper than every way that does
not. And every passage lengthens a way, also one that costs nothing. Among ways of equal length the one is
taken whose nodes, seen from its end, come first on the map; so it does not matter in which order things
became known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from heapq import heappop, heappush
from itertools import pairwise

from foretree.world_model.places import Passage, PlaceGraph


class State(Enum):
    """How a passage is."""

    FREE = "free"
    CLOSED = "closed"
    BLOCKED = "blocked"


class Network:
    """The nodes and passages of a map by number, and the state that each passage is in.

    Attributes:
        names: the nodes; a node's number is its index.
        passages: the passages; a passage's number is its index.
        around: for each node, its neighbours, each with the passage that leads there.
        lengths: the length of each passage; None while it is blocked.
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
        self.between = {frozenset(ends): passage for passage, ends in enumerate(self.ends)}
        self.doored = tuple(number for number, p in enumerate(self.passages) if p.door is not None)
        #: What a closed door, and what a unit of cost, adds to a length: more than all that counts less.
        self._door_length = len(self.names) + 1
        self._cost_length = self._door_length * (len(self.doored) + 1)
        self.states = [State.FREE] * len(self.passages)
        self.lengths: list[int | None] = [self._length(p, State.FREE) for p in self.passages]
        #: For each node the part of the map that it is in when all doors count as walls.
        self._regions = [-1] * len(self.names)
        self._region_count = 0
        for node in range(len(self.names)):
            if self._regions[node] < 0:
                self._new_region(node)
        self._joined: dict[frozenset[int], list[int]] = {}

    def set_state(self, passage: int, state: State) -> None:
        """Change the state of a passage."""
        before = self.states[passage]
        self.states[passage] = state
        self.lengths[passage] = self._length(self.passages[passage], state)
        if State.BLOCKED in (before, state):
            self._joined.clear()
            if self.passages[passage].door is None:
                # Two nodes that were one region may be apart now, or two regions one.
                for end in self.ends[passage]:
                    self._new_region(end)

    def cost(self, length: int) -> int:
        """What a way of that length costs."""
        return length // self._cost_length

    def through_closed(self, length: int) -> bool:
        """Whether a way of that length goes through a closed door."""
        return length % self._cost_length >= self._door_length

    def components(self, shut: frozenset[int]) -> list[int]:
        """For each region, which others it hangs together with, by all passages but those *shut* or blocked.

        Ask it with :meth:`component`.
        """
        joined = self._joined.get(shut)
        if joined is None:
            joined = list(range(self._region_count))
            for passage in self.doored:
                if self.lengths[passage] is not None and passage not in shut:
                    one, other = self.ends[passage]
                    a, b = _root(joined, self._regions[one]), _root(joined, self._regions[other])
                    joined[max(a, b)] = min(a, b)
            self._joined[shut] = joined
        return joined

    def component(self, node: int, components: list[int]) -> int:
        """Which of the *components* a node is in."""
        return _root(components, self._regions[node])

    def forget_components(self, but: Collection[frozenset[int]]) -> None:
        """Keep only those components that were worked out for one of *but*."""
        self._joined = {shut: joined for shut, joined in self._joined.items() if shut in but}

    def _length(self, passage: Passage, state: State) -> int | None:
        if state is State.BLOCKED:
            return None
        return passage.cost * self._cost_length + (self._door_length if state is State.CLOSED else 0) + 1

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
                    and self.lengths[passage] is not None
                ):
                    self._regions[other] = region
                    todo.append(other)


def _root(parents: list[int], region: int) -> int:
    while parents[region] != region:
        parents[region] = parents[parents[region]]
        region = parents[region]
    return region


class Search:
    """The cheapest ways from *source* through all passages but those *shut* or blocked.

    Between two calls of :meth:`reach`, lengths may be out of date; then they are only too long. When the
    length of a passage changes, whoever keeps the search asks first whether it :meth:`matters`, and then
    calls :meth:`update`: what was found stays as far as it did not come through that passage.
    """

    __slots__ = ("_best", "_heap", "_network", "_settled", "_through", "_ways", "shut", "source", "work")

    def __init__(self, network: Network, source: int, shut: frozenset[int]) -> None:
        self.source = source
        self.shut = shut
        #: How many nodes were settled so far.
        self.work = 0
        self._network = network
        self._best = {source: 0}
        #: The passage by which each node is reached.
        self._through: dict[int, int] = {}
        self._settled: set[int] = set()
        self._heap = [(0, source)]
        self._ways: dict[int, tuple[int, ...]] = {}

    def with_shut(self, passages: Iterable[int]) -> Search:
        """The same search with more passages shut; this one stays as it is."""
        twin = Search(self._network, self.source, self.shut)
        twin._best = dict(self._best)
        twin._through = dict(self._through)
        twin._settled = set(self._settled)
        twin._heap = list(self._heap)
        twin._ways = dict(self._ways)
        for passage in sorted(passages):
            mattered = twin.matters(passage)
            twin.shut |= {passage}
            twin.update(passage, mattered)
        return twin

    def reach(self, targets: Collection[int]) -> None:
        """Go on until the way to each of the *targets*, all of which can be reached, is known."""
        best, settled, through, heap, shut = self._best, self._settled, self._through, self._heap, self.shut
        around, lengths = self._network.around, self._network.lengths
        missing = {target for target in targets if target not in settled}
        while heap and (missing or heap[0][0] <= max(best[target] for target in targets)):
            length, node = heappop(heap)
            if node in settled or best.get(node) != length:
                continue
            self.work += 1
            settled.add(node)
            missing.discard(node)
            for other, passage in around[node]:
                step = lengths[passage]
                if step is None or passage in shut:
                    continue
                further = length + step
                known = best.get(other)
                if known is None or further < known:
                    best[other] = further
                    through[other] = passage
                    settled.discard(other)
                    heappush(heap, (further, other))

    def length(self, target: int) -> int:
        """The length of the way to a node that was reached."""
        return self._best[target]

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
        return [passage for passage in passages if network.states[passage] is State.CLOSED]

    def matters(self, passage: int) -> bool:
        """Whether a cheapest way known so far comes through a passage; there may be others as good."""
        one, other = self._network.ends[passage]
        return self._leads(passage, one, other) or self._leads(passage, other, one)

    def update(self, passage: int, mattered: bool) -> None:
        """Take note that a passage has another length now, or was shut.

        Args:
            mattered: whether it mattered before that.
        """
        ends = self._network.ends[passage]
        changed = mattered
        for end in ends:
            if self._through.get(end) == passage:
                self._detach(end)
                changed = True
        step = self._network.lengths[passage]
        if step is not None and passage not in self.shut:
            for here, there in (ends, ends[::-1]):
                changed = self._offer(here, there, passage, step) or changed
        if changed:
            self._ways.clear()

    def _leads(self, passage: int, here: int, there: int) -> bool:
        step = self._network.lengths[passage]
        return (
            step is not None
            and passage not in self.shut
            and here in self._settled
            and there in self._settled
            and self._best[here] + step == self._best[there]
        )

    def _offer(self, here: int, there: int, passage: int, step: int) -> bool:
        """Reach *there* from *here*, if that is not longer than what is known; whether it is so."""
        if here not in self._settled:
            return False
        length = self._best[here] + step
        known = self._best.get(there)
        if known is None or length < known:
            self._best[there] = length
            self._through[there] = passage
            self._settled.discard(there)
            heappush(self._heap, (length, there))
        return known is None or length <= known

    def _detach(self, node: int) -> None:
        """Forget how *node* was reached, and all that was reached through it; reach them from the others."""
        around, lengths = self._network.around, self._network.lengths
        detached = [node]
        for gone in detached:
            detached += [
                o for o, passage in around[gone] if self._through.get(o) == passage != self._through[gone]
            ]
        for gone in detached:
            del self._best[gone], self._through[gone]
            self._settled.discard(gone)
        for gone in detached:
            for other, passage in around[gone]:
                step = lengths[passage]
                if step is not None and passage not in self.shut:
                    self._offer(other, gone, passage, step)
