"""Retrieval by the words of an instruction. No model, no network, the same answer every time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from foretree.reasoning.retrieval._mentions import MANY, Mentions, ThingMention, find_mentions
from foretree.reasoning.retrieval._stemming import stem, words_of
from foretree.reasoning.retrieval.node_index import NodeIndex, NodeText, SeenThing, spoken
from foretree.reasoning.retrieval.retriever import Hit, Retrieved, first_of_each

#: More nodes than this are not retrieved for one instruction.
MOST = 14
#: Nodes for one mention of things: of a plural without a number, and beyond the number that is asked for.
_FOR_ALL = 4
_SPARE = 2
#: Nodes for furniture that is named but not which one, and for one thing that a deed takes.
_FOR_SOME = 3
_FOR_NEED = 2
#: A word in the texts of more nodes than this tells nothing, and of one word so many nodes are taken.
_COMMON = 3
_FOR_WORD = 2


#: Words that say nothing about a place: they are in captions, if at all, for no reason of their own.
_SAYS_NOTHING = frozenset(
    stem(word)
    for word in words_of(
        """
        in into on onto at to from off out of under over by with for through back up down there here where
        which is are was were be been being has have had it its as so not no do does done did go come let
        put place lay set bring take get got give make made keep leave use find carry move want need like
        belong can should could would shall must please some thing things office room open close what who
        when then again after before while until once only also very more than stay still yet all any each
        other same both
        """
    )
)


class KeywordRetriever:
    """Finds nodes by name, by the things that were last seen there, and by what the deeds in question take.

    What an instruction names is found through the ontology's names and words. What it takes without naming
    it is data as well (``needs`` in a domain's YAML file). Words that mean nothing else are looked up in
    the captions.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most

    def retrieve(self, instruction: str, index: NodeIndex) -> Retrieved:
        """See :class:`~foretree.reasoning.retrieval.retriever.Retriever`."""
        return _Search(find_mentions(instruction, index), index).run(self.most)


class _Search:
    """The work of one retrieval, from a reading of the instruction."""

    def __init__(self, reading: Mentions, index: NodeIndex) -> None:
        self.reading = reading
        self.index = index
        self.stems = frozenset(map(stem, reading.words))
        self.telling: set[str] = set()
        self.hits: list[Hit] = []
        self.things: dict[str, None] = {}
        self.named = {
            node for places in reading.places if len(places.nodes) <= _FOR_SOME for node in places.nodes
        }
        self.in_room = {node for room in reading.rooms for node in room.nodes}

    def run(self, most: int) -> Retrieved:
        reading = self.reading
        for places in reading.places:
            if len(places.nodes) <= _FOR_SOME:
                self._add(places.nodes, f'"{places.said}"')
        nowhere = [things for things in reading.things if not self._add_things(things)]
        self._add_needs()
        for places in reading.places:
            if len(places.nodes) > _FOR_SOME and not self._found() & {*places.nodes}:
                self._add(places.nodes[:_FOR_SOME], f'"{places.said}", one of {len(places.nodes)}')
        for room in reading.rooms:
            if not (self.named | self._found()) & {*room.nodes}:
                self._add(self._surfaces(room.nodes)[:_FOR_SOME], f'"{room.said}"')
        self._search_captions()
        return Retrieved(
            first_of_each(self.hits, most),
            nowhere=tuple(dict.fromkeys(things.classes[0] for things in nowhere)),
            things=tuple(self.things),
        )

    def _add(self, nodes: Collection[str], why: str) -> None:
        self.hits.extend(Hit(node, why) for node in nodes)

    def _found(self) -> set[str]:
        return {hit.node for hit in self.hits}

    def _surfaces(self, nodes: Sequence[str]) -> Sequence[str]:
        good = [n for n in nodes if self.index.affords(self.index.nodes[n].class_name, "surface")]
        return good or nodes

    # -- things ------------------------------------------------------------------------------------------
    def _add_things(self, things: ThingMention) -> bool:
        """Retrieve where things are; False when they are not known to be anywhere."""
        known = list(self._known(things.classes))
        if not known:
            known = list(self._known(self._look_alikes(things.classes)))
        count, spare = things.count, _SPARE
        told = [one for one in known if self._distinguishing(one[1], things)]
        if told and (len(told) >= min(count, len(known)) or count == MANY):
            # Of a red and a blue book, each is one book.
            known, count, spare = told, max(count, len(told)), 0
        surely = [one for one in known if one[0].name in things.there] if things.surely else []
        if surely and len(surely) >= min(things.count, len(known)):
            known, spare = surely, 0
        known.sort(key=lambda one: (-self._rank(one[0], things), one[0].cost, one[0].name))
        nodes: dict[str, None] = {}
        for number, (node, _) in enumerate(known):
            if number >= count:
                if spare == 0:
                    break
                spare -= node.name not in nodes
            elif len(nodes) >= _FOR_ALL and node.name not in things.there:
                break
            nodes[node.name] = None
        self._add(nodes, f'"{things.said}" was last seen there')
        self.things.update(dict.fromkeys(thing.name for node, thing in known if node.name in nodes))
        return bool(known)

    def _known(self, classes: Sequence[str]) -> Iterator[tuple[NodeText, SeenThing]]:
        for name in classes:
            yield from self.index.where(name)

    def _look_alikes(self, classes: Sequence[str]) -> list[str]:
        """Classes that people may mean instead: a mug is asked for, but there are only cups."""
        return [
            other
            for other in self.index.ontology.classes
            for c in classes
            if self.index.ontology.look_alike(other, c)
        ]

    def _distinguishing(self, thing: SeenThing, things: ThingMention) -> set[str]:
        """The words of the instruction that tell a thing apart, being in its name: the *red* book."""
        own = {*map(stem, spoken(thing.name).split())} - {*map(stem, things.said.split())}
        telling = {word for word in own & self.stems if not word.isdecimal()}
        self.telling |= telling
        return telling

    def _rank(self, node: NodeText, things: ThingMention) -> int:
        """The rank of a node at which the thing that is meant may be."""
        if node.name in things.there:
            return 3
        return 2 if node.name in self.named else int(node.name in self.in_room)

    # -- needs -------------------------------------------------------------------------------------------
    def _add_needs(self) -> None:
        served: set[str] = set()
        for need, said in self.reading.needs:
            for wanted in need.take:
                if wanted not in served and not self._is_named(wanted):
                    served.add(wanted)
                    self._add(self._nodes_serving(wanted), f'"{said}" takes {wanted}')

    def _is_named(self, wanted: str) -> bool:
        """True if the instruction names something that is wanted, or that serves as well."""
        classes = [name for things in self.reading.things for name in things.classes]
        classes += [self.index.nodes[node].class_name for node in self.named]
        alike = self.index.ontology.look_alike
        return any(self.index.affords(name, wanted) or alike(name, wanted) for name in classes)

    def _nodes_serving(self, wanted: str) -> list[str]:
        """The furniture that is or affords what is wanted; else where such things are; likeliest first."""
        furniture = [node.name for node in self.index.by_cost if self.index.affords(node.class_name, wanted)]
        if furniture:
            return furniture[:_FOR_NEED]
        found = self._found()
        likely: dict[str, int] = {}
        for node in self.index.by_cost:
            fitting = [thing for thing in node.things if self.index.affords(thing.class_name, wanted)]
            if fitting:
                told = any(self._is_mentioned(thing) for thing in fitting)
                likely[node.name] = 4 * told + 2 * (node.name in found) + (node.name in self.in_room)
        return sorted(likely, key=lambda node: -likely[node])[:_FOR_ALL]

    def _is_mentioned(self, thing: SeenThing) -> bool:
        """True if a word of the thing's name is in the instruction."""
        return any(stem(word) in self.stems for word in spoken(thing.name).split() if not word.isdecimal())

    # -- the other words ---------------------------------------------------------------------------------
    def _search_captions(self) -> None:
        """Find words that mean nothing else in captions and in names of things: the *striped* one."""
        texts = {node.name: _stems_of(node) for node in self.index.by_cost}
        for word in self.reading.unexplained:
            said = [node for node, stems in texts.items() if stem(word) in stems]
            if len(said) <= _COMMON and stem(word) not in self.telling | _SAYS_NOTHING:
                self._add(said[:_FOR_WORD], f'"{word}" is said of it')


def _stems_of(node: NodeText) -> frozenset[str]:
    things = " ".join(spoken(thing.name) for thing in node.things)
    return frozenset(map(stem, words_of(f"{node.caption} {spoken(node.room)} {things}")))
