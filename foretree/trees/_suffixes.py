"""The suffixes of a plan, and which of them could be begun right now because all that they need is so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import add

from foretree.planning.causal_links import WORLD, Link
from foretree.planning.incremental import BATCH, Increments, run_to_end, weighted
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.facts import Atom, Truth

#: So many links are looked at as one piece of work.
_AT_A_TIME = 8
#: No suffix.
_NONE = range(0)


class Suffixes:
    """Keeps track of where a plan could be entered, a suffix being known by the index of its first step.

    A link that is not believed rules out every suffix that has its consumer in it, but not its producer. How
    many links rule out each suffix is kept in a tree over all of them, so that what a change costs grows with
    the number of links it concerns, and hardly with the length of the plan.

    Args:
        length: how many steps the plan has. The suffix of that index is the empty one, which needs the goal.
        links: why the plan holds together.
        watched: the numbers of the links that an entry of the belief's journal may concern.
    """

    def __init__(self, length: int, links: Sequence[Link], watched: Mapping[Atom, Sequence[int]]) -> None:
        self._length = length
        self._links = links
        self._watched = watched
        self._over = [False] * length
        self._over_since: list[int] = []
        self._links_of: list[list[int]] = []
        #: What each link rules out; None until the belief has been looked at.
        self._ruled_out: list[range] | None = None
        self._cover = SegmentTree([])
        self._seen = -1

    def end(self, index: int) -> None:
        """The step of that index has come to its end: nothing is to begin with it any more."""
        self._over[index] = True
        self._over_since.append(index)

    def last(self, belief: Belief) -> int | None:
        """The shortest suffix that could be begun: with a step that is still open, or with the goal."""
        beliefs = belief.snapshot()
        changes = belief.changes_since(self._seen) if self._ruled_out is not None else None
        if changes is None or self._ruled_out is None:
            run_to_end(self.look_at_all(beliefs))
        else:
            concerned = {number for atom in changes for number in self._watched.get(atom, ())}
            for index in self._over_since:
                self._cover.add(range(index, index + 1), 1)
                concerned.update(self._links_of[index])
            for number in concerned:
                before, now = self._ruled_out[number], self._rules_out(self._links[number], beliefs)
                if now != before:
                    self._cover.add(before, -1)
                    self._cover.add(now, 1)
                    self._ruled_out[number] = now
        self._over_since.clear()
        self._seen = beliefs.version
        return self._cover.last_free()

    def look_at_all(self, beliefs: Snapshot) -> Increments[None]:
        """Find out what each link rules out, whatever has changed."""
        found: list[range] = []
        links_of: list[list[int]] = [[] for _ in range(self._length + 1)]
        #: By how much more often than the suffix before each suffix is ruled out.
        steps = [0] * (self._length + 2)
        rules_out = self._rules_out
        for number, link in enumerate(self._links):
            if (number + 1) % (BATCH * _AT_A_TIME) == 0:
                yield BATCH
            ruled_out = rules_out(link, beliefs)
            found.append(ruled_out)
            if ruled_out is not _NONE:
                steps[ruled_out.start] += 1
                steps[ruled_out.stop] -= 1
            producer, consumer, _ = link
            if producer != WORLD:
                links_of[producer].append(number)
            links_of[consumer].append(number)
        yield from weighted(self._length // 40)
        self._links_of = links_of
        self._ruled_out = found
        self._seen = beliefs.version
        self._cover = SegmentTree(list(map(add, accumulate(steps[:-1]), (*self._over, False))))

    def _rules_out(self, link: Link, beliefs: Snapshot) -> range:
        """The suffixes that cannot be begun because of a link."""
        producer, consumer, literal = link
        if consumer < self._length and self._over[consumer]:
            return _NONE
        if beliefs.truth(literal.atom) is (Truth.TRUE if literal.positive else Truth.FALSE):
            return _NONE
        made = producer == WORLD or self._over[producer]
        return range(0 if made else producer + 1, consumer + 1)


class SegmentTree:
    """A segment tree: how often each of many positions is covered, and the last that is not.

    Both take steps in the logarithm of their number: a tree has them as its leaves, and each inner node knows
    how often all below it are covered together, and the least that one of them is covered in all.

    Args:
        counts: how often each position is covered at first.
    """

    def __init__(self, counts: Sequence[int]) -> None:
        self._size = size = 1 << max(0, len(counts) - 1).bit_length()
        # What fills the tree up is covered for good.
        self._least = [0] * size + list(counts) + [1] * (size - len(counts))
        self._together = [0] * size
        while size > 1:  # each level of the tree from the one below
            low, size = size, size // 2
            self._least[size:low] = map(
                min, self._least[low : 2 * low : 2], self._least[low + 1 : 2 * low : 2]
            )

    def add(self, positions: range, count: int) -> None:
        """Cover *positions* that many times more; fewer times, if *count* is negative."""
        if not positions:
            return
        least, together, size = self._least, self._together, self._size
        low, high = positions.start + size, positions.stop + size
        ends = low, high - 1
        while low < high:
            if low & 1:
                self._add_below(low, count)
                low += 1
            if high & 1:
                high -= 1
                self._add_below(high, count)
            low >>= 1
            high >>= 1
        for node in ends:
            while node := node >> 1:
                least[node] = min(least[2 * node], least[2 * node + 1]) + together[node]

    def last_free(self) -> int | None:
        """The last position that nothing covers; None if all are covered."""
        least, together, size = self._least, self._together, self._size
        if least[1] > 0:
            return None
        node, above = 1, 0
        while node < size:
            above += together[node]
            node = 2 * node + (least[2 * node + 1] + above == 0)
        return node - size

    def _add_below(self, node: int, count: int) -> None:
        self._least[node] += count
        if node < self._size:
            self._together[node] += count
