from hypothesis import given
from hypothesis import strategies as st

from foretree.planning.causal_links import WORLD, Link
from foretree.planning.pddl.syntax import Literal
from foretree.trees._suffixes import SegmentTree, Suffixes
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Atom, PredicateInfo, Truth, Vocabulary

ATOMS: list[Atom] = [("lit", str(number)) for number in range(4)]
TRUTHS = st.sampled_from(list(Truth))


@st.composite
def coverings(draw):
    counts = draw(st.lists(st.integers(0, 2), max_size=9))
    places = st.integers(0, len(counts))
    return counts, draw(st.lists(st.tuples(places, places), max_size=12))


@given(coverings())
def test_the_last_free_position_is_that_of_a_plain_count(case):
    counts, ranges = case
    cover = SegmentTree(counts)
    assert cover.last_free() == last_zero(counts)
    for start, stop in [*ranges, *ranges]:
        positions = range(start, stop)
        # Cover it twice, and uncover it once.
        for count in (1, 1, -1):
            cover.add(positions, count)
            counts = [c + count * (index in positions) for index, c in enumerate(counts)]
            assert cover.last_free() == last_zero(counts)


def last_zero(counts):
    return max((index for index, count in enumerate(counts) if not count), default=None)


@st.composite
def plans(draw):
    """A number of steps, links between them, and what happens: a step ends, or an atom changes its truth."""
    length = draw(st.integers(1, 6))
    links = []
    for consumer in range(length + 1):
        for atom in draw(st.lists(st.sampled_from(ATOMS), max_size=2, unique=True)):
            producer = draw(st.sampled_from([WORLD, *range(consumer)]))
            links.append(Link(producer, consumer, Literal(atom, draw(st.booleans()))))
    events = st.one_of(st.integers(0, length - 1), st.tuples(st.sampled_from(ATOMS), TRUTHS))
    return length, links, draw(st.lists(st.lists(events, max_size=3), max_size=8))


@given(plans())
def test_the_last_suffix_is_that_of_looking_at_every_link(case):
    length, links, happenings = case
    belief = Belief(Vocabulary({"lit": PredicateInfo("attribute", observable=True)}))
    watched: dict[Atom, list[int]] = {}
    for number, link in enumerate(links):
        watched.setdefault(link.literal.atom, []).append(number)
    suffixes = Suffixes(length, links, watched)
    over = [False] * length
    for events in [[], *happenings]:
        for event in events:
            if isinstance(event, tuple):
                belief.tell(*event)
            elif not over[event]:
                over[event] = True
                suffixes.end(event)
        assert suffixes.last(belief) == looked_for(length, links, over, belief)


def looked_for(length, links, over, belief):
    """By the definition: what each suffix needs from before it has to be believed, and made by then."""

    def needs(index, link):
        if link.consumer < index or (link.consumer < length and over[link.consumer]):
            return False
        # What a step that is left out was to make has to be there without it.
        made_within = link.producer >= index and not over[link.producer]
        return not made_within

    def believed(link):
        wanted = Truth.TRUE if link.literal.positive else Truth.FALSE
        return belief.truth(link.literal.atom) is wanted

    found = None
    for index in range(length + 1):
        enterable = index == length or not over[index]
        if enterable and all(believed(link) for link in links if needs(index, link)):
            found = index
    return found


def test_what_the_journal_has_forgotten_is_looked_at_again():
    belief = Belief(Vocabulary({"lit": PredicateInfo("attribute", observable=True)}))
    first, *others = ATOMS
    suffixes = Suffixes(1, [Link(WORLD, 1, Literal(first))], {first: [0]})
    assert suffixes.last(belief) is None
    belief.tell(first)
    for number in range(5_000):
        belief.tell(others[0], number % 2 == 0)
    assert belief.changes_since(0) is None
    assert suffixes.last(belief) == 1
