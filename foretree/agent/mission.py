"""The mission: what one session is about, shared by the leaves of the agent's tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from foretree.agent.dialogue.claims import Claim
from foretree.agent.dialogue.conversation import Conversation
from foretree.errors import ForetreeError
from foretree.planning.constraints.constraints import Constraint, show_constraint
from foretree.planning.pddl.syntax import (
    Count,
    Domain,
    Equal,
    Exists,
    Formula,
    Not,
    Typed,
    constants_of,
    walk,
)
from foretree.planning.plan import Plan
from foretree.planning.semantics.evaluation import conjunction, conjuncts
from foretree.planning.solvers.base import Solution
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.reasoner import InPlace, LeftOut, Reading
from foretree.world_model.articles import with_article
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom, Truth


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that is needed and is not located.

    Attributes:
        words: what it is, as a person would say it.
        classes: of which any one would do; empty where a certain thing is needed.
        place: the furniture to look at, where it is a fact that has to be seen.
    """

    words: str
    classes: tuple[str, ...] = ()
    place: str = ""


#: So many requests before the present one can be gone back to.
MOST_PAST = 20
#: The reason for there being no plan, as long as no more has been found out.
NO_PLAN = "There is no plan."


@dataclass
class Mission:
    """The task of a session, and how far the agent has come.

    Attributes:
        instruction: what the person said; may be empty when a goal was given instead.
        goal: what is to be reached, once it is understood.
        how: how the instruction was read, in a sentence.
        wanted: classes of which something must be found first: no banana known is not all bananas put away.
        tools: classes of which one must be found, since no plan does without: a knife, where something is to
            be cut.
        more_of: what was known of some classes when no known thing of theirs was as the instruction says;
            with another one found, it is read anew.
        readings: what may be meant, as long as the person has not said which.
        left_out: what the goal leaves out of the instruction.
        in_place: whether another thing is wanted in place of one that is not there.
        avoided: what people have said is wrong with things that the goal leaves aside, in a sentence.
        accepted: alternatives that were taken: the missing class, and the thing in its place.
        replaced: those that are in the goal, in words.
        declined: alternatives that the person has turned down.
        proposed: what would do in place of what is missing, where no person can accept it, in words.
        parts: the parts of the goal that were gone for because the whole cannot be reached.
        said: earlier instructions of the session, in order.
        changes: how often the person has changed what is wanted.
        conversation: what the person says, and is asked.
        subgoal: what is to be reached first: a look somewhere, say. None when nothing comes before the goal.
        plan: the last plan that was made for the goal.
        looked_at: places that were searched in vain, in order.
        passed_over: those of them that the constraints kept from being searched.
        unsearched: whether the goal wants all of something, and there are places left where more of it may
            be.
        unseen: facts that the goal is only assumed to hold by, each with the furniture to look at.
        rounds: how often a plan was made for the goal.
        reason: why the last attempt came to nothing.
        find_out: begins to find out why there is no plan, where *reason* says only that there is none.
        refusal: the error to end with when the instruction could not be understood.
        answer: what the person is told, where the instruction was a question.
        constraints: what has to hold on the way to the goal.
        given_constraints: those of them that were given beside the instruction, and hold
            for all that follows.
        spoken_of: the things that the person has spoken of, for "it" and "the other one".
        by: the name of the person who spoke last; empty where it is not known.
        claims: who has asked for what of it.
        standing: who asked for what before, where that still counts.
        voices: the names of all who have spoken, in order.
        past: what was believed when each request so far was begun, this one's last.
    """

    instruction: str = ""
    goal: Formula | None = None
    how: str = ""
    wanted: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    more_of: Mapping[str, frozenset[str]] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    in_place: InPlace = "usual"
    avoided: str = ""
    accepted: list[tuple[str, str]] = field(default_factory=list)
    replaced: tuple[str, ...] = ()
    declined: list[tuple[str, str]] = field(default_factory=list)
    proposed: str = ""
    parts: list[Formula] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    changes: int = 0
    conversation: Conversation = field(default_factory=Conversation)
    subgoal: Formula | None = None
    plan: Plan | None = None
    looked_at: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    unsearched: bool = False
    unseen: Mapping[Atom, str] = field(default_factory=dict)
    rounds: int = 0
    reason: str = ""
    find_out: Callable[[], Future[Solution]] | None = None
    refusal: ForetreeError | None = None
    answer: str = ""
    constraints: tuple[Constraint, ...] = ()
    given_constraints: tuple[Constraint, ...] = ()
    spoken_of: Discourse = ()
    by: str = ""
    claims: tuple[Claim, ...] = ()
    standing: tuple[Claim, ...] = ()
    voices: tuple[str, ...] = ()
    past: tuple[Snapshot, ...] = ()

    def unfound(self, beliefs: Snapshot, domain: Domain) -> list[str]:
        """The wanted classes of which nothing has been found yet, in words."""
        return [with_article(name) for name in self._unfound_classes(beliefs, domain)]

    def lacks(self, beliefs: Snapshot, domain: Domain) -> list[Lack]:
        """Return what is needed and is not located.

        That is what the goal speaks of, what the last plan for it relied on, a tool say, and what no plan
        does without.
        """
        assert self.goal is not None
        if self.more_of:
            return [
                Lack(f"another {_words(name)}", (name,))
                for name, known in self.more_of.items()
                if known.issuperset(_located_of(name, beliefs, domain))
            ]
        tools = {name for action in self.plan.actions for name in action.arguments} if self.plan else ()
        found = [
            *lacks(self.goal, beliefs, domain),
            *(Lack(with_article(name), (name,)) for name in self._unfound_classes(beliefs, domain)),
            *map(Lack, _unlocated(tools, beliefs, domain)),
            *self.unseen_lacks(beliefs),
        ]
        if self.tools and not any(_located_of(name, beliefs, domain) for name in self.tools):
            found.append(Lack(" or ".join(map(with_article, self.tools)), self.tools))
        return list({lack.words: lack for lack in reversed(found)}.values())[::-1]

    def unseen_lacks(self, beliefs: Snapshot) -> list[Lack]:
        """Return those of the unseen facts that are not known yet."""
        return [
            Lack(f"evidence whether ({' '.join(atom)})", place=place)
            for atom, place in self.unseen.items()
            if beliefs.truth(atom) is Truth.UNKNOWN
        ]

    def claims_of_others(self) -> tuple[Claim, ...]:
        """Return the claims of all but the person who spoke last, as they are carried out now."""
        if len(self.claims) == 1 and self.goal is not None:
            # Another thing may have taken the place of a missing one.
            (claim,) = self.claims
            self.claims = (replace(claim, goal=self.goal, constraints=self.constraints),)
        return tuple(claim for claim in (*self.claims, *self.standing) if claim.by != self.by)

    def speaks(self, name: str) -> None:
        """Note who speaks; without a name, it is the one who spoke last."""
        self.by = name or self.by
        if self.by and self.by not in self.voices:
            self.voices = (*self.voices, self.by)

    def choose(self, goal: Formula, constraints: Sequence[Constraint] = ()) -> None:
        """Take *goal* for what the person who spoke last wants, of all that was meant perhaps.

        Args:
            goal: the formula that shall hold in the end.
            constraints: what has to hold on the way there, beside what has to in any case.
        """
        self.readings, self.goal = (), goal
        self.constraints = (*self.constraints, *constraints)
        self.claims = tuple(
            replace(claim, goal=goal, constraints=(*claim.constraints, *constraints))
            if claim.by == self.by
            else claim
            for claim in self.claims
        )

    def drop(self, claim: Claim) -> None:
        """Forget what a person has asked for, and what was to be kept to for that."""
        if claim in self.claims:
            self.claims = tuple(one for one in self.claims if one != claim)
            self.goal = conjunction(*(one.goal for one in self.claims)) if self.claims else None
            self.wanted = tuple(name for one in self.claims for name in one.wanted)
            self.instruction = ", and ".join(one.words for one in self.claims)
            self.how = "; and ".join(one.how for one in self.claims)
        self.standing = tuple(one for one in self.standing if one != claim)
        gone = set(claim.constraints).difference(*(one.constraints for one in (*self.claims, *self.standing)))
        self.given_constraints = tuple(one for one in self.given_constraints if one not in gone)
        self.constraints = tuple(one for one in self.constraints if one not in gone)

    def lift(self, rules: Iterable[Constraint]) -> None:
        """Keep to *rules* no longer, whoever asked for them."""
        gone = set(rules)

        def rest(kept: Iterable[Constraint]) -> tuple[Constraint, ...]:
            return tuple(one for one in kept if one not in gone)

        self.given_constraints, self.constraints = rest(self.given_constraints), rest(self.constraints)
        self.claims = tuple(replace(one, constraints=rest(one.constraints)) for one in self.claims)
        self.standing = tuple(replace(one, constraints=rest(one.constraints)) for one in self.standing)

    def missing(self, beliefs: Snapshot, domain: Domain) -> list[str]:
        """Return what is needed and is not located: names, or classes in words."""
        return [lack.words for lack in self.lacks(beliefs, domain)]

    def _unfound_classes(self, beliefs: Snapshot, domain: Domain) -> list[str]:
        return [name for name in self.wanted if not _located_of(name, beliefs, domain)]

    def begin_anew(self) -> None:
        """Forget what was found out for the last goal; what was done, looked at and agreed stays."""
        self.changes += 1
        self.subgoal, self.tools, self.reason, self.find_out, self.unseen = None, (), "", None, {}
        self.parts.clear()
        self.rounds = 0

    def remembered(self) -> tuple[str, ...]:
        """Earlier instructions, and the alternatives that were accepted and turned down, in words."""
        return (
            *(f"said before: {words}" for words in self.said),
            *(f"{thing} in place of {with_article(missing)}: accepted" for missing, thing in self.accepted),
            *(
                f"{thing} in place of {with_article(missing)}: turned down"
                for missing, thing in self.declined
            ),
        )

    def note_not_found(self, what: str) -> str:
        """Make it the reason of the mission that *what* could not be found; returns it."""
        searched = [place for place in dict.fromkeys(self.looked_at) if place not in self.passed_over]
        self.reason = f"{what} could not be found. Searched: {', '.join(searched) or 'everything in sight'}."
        if self.passed_over:
            kept = " and ".join(map(show_constraint, self.constraints))
            passed_over = ", ".join(dict.fromkeys(self.passed_over))
            self.reason += f" Not searched, to keep {kept}: {passed_over}."
        if self.avoided:
            self.reason += f" {self.avoided}"
        if self.proposed:
            self.reason += f" What would do, if you say so: {self.proposed}."
        return self.reason


def missing(goal: Formula, beliefs: Snapshot, domain: Domain) -> list[str]:
    """Return what the goal speaks of and is not located: names, or classes in words."""
    return [lack.words for lack in lacks(goal, beliefs, domain)]


def lacks(goal: Formula, beliefs: Snapshot, domain: Domain) -> list[Lack]:
    """Return what the goal speaks of and is not located.

    Only what can be put somewhere can be missing; furniture is on the map.
    """
    found = {name: Lack(name) for name in _unlocated(constants_of(goal), beliefs, domain)}
    movable = _movable(domain, beliefs)
    for variable, needed, others in _wanted(goal):
        if not _is_any(domain, variable.type, movable):
            continue
        known = _located_of(variable.type, beliefs, domain)
        if len(set(known) - others) < needed:
            words = f"another {_words(variable.type)}" if known else with_article(variable.type)
            found.setdefault(words, Lack(words, (variable.type,)))
    return list(found.values())


def _words(class_name: str) -> str:
    return class_name.replace("_", " ")


def _unlocated(names: Iterable[str], beliefs: Snapshot, domain: Domain) -> Iterator[str]:
    """Iterate over those of *names* that can be put somewhere, and are not located.

    Of a book on a plate that was taken away, it is the plate that has to be found.
    """
    movable = _movable(domain, beliefs)
    for name in sorted(names):
        lost = _lost(name, beliefs, lambda kind: _is_any(domain, kind, movable))
        if lost is not None:
            yield lost


def _lost(name: str, beliefs: Snapshot, movable: Callable[[str], bool]) -> str | None:
    """Return what has to be found to locate *name*: itself, or what it rests on; None if it is located."""
    passed: set[str] = set()
    while name not in passed:
        passed.add(name)
        entity = beliefs.entity(name)
        if entity is None or not movable(entity.best_class):
            return None
        places = _placements(name, beliefs)
        if not places:
            return name
        name = next((term for atom in places for term in atom[1:] if term not in passed), name)
    return None


def located(name: str, beliefs: Snapshot) -> bool:
    """Return whether it is believed where *name* is; what belongs to the map is where it is."""
    entity = beliefs.entity(name)
    return (entity is not None and entity.fixed) or bool(_placements(name, beliefs))


def _located_of(class_name: str, beliefs: Snapshot, domain: Domain) -> list[str]:
    """Return the located objects of a class."""
    return [
        name
        for name, entity in beliefs.entities().items()
        if domain.is_a(entity.best_class, class_name) and located(name, beliefs)
    ]


def _placements(name: str, beliefs: Snapshot) -> list[Atom]:
    """Return the facts that place *name*."""
    groups = {info.group for info in beliefs.vocabulary.predicates.values() if info.kind == "place"}
    found = (beliefs.placement(group, name) for group in sorted(group for group in groups if group))
    return [atom for atom in found if atom is not None]


def _movable(domain: Domain, beliefs: Snapshot) -> set[str]:
    """The types of what can be put somewhere: subjects of exclusive place predicates."""
    found = set()
    for name, info in beliefs.vocabulary.predicates.items():
        parameters = domain.predicates.get(name)
        if info.kind == "place" and info.group is not None and parameters:
            found.add(parameters[info.subject - 1].type)
    return found


def _is_any(domain: Domain, type_name: str, types: set[str]) -> bool:
    return any(domain.is_a(type_name, other) for other in types)


def _wanted(goal: Formula) -> Iterator[tuple[Typed, int, frozenset[str]]]:
    """Iterate over the variables that need an object, how many, and which would not do: "another mug"."""
    for formula in walk(goal):
        if isinstance(formula, Exists):
            for variable in formula.variables:
                yield variable, 1, _other_than(variable.name, formula.body)
        elif isinstance(formula, Count) and formula.at_least:
            name = formula.variable.name
            yield formula.variable, formula.at_least, _other_than(name, formula.body)


def _other_than(variable: str, body: Formula) -> frozenset[str]:
    """Return the objects that *body* says the variable is not."""
    unequal = (part.part for part in conjuncts(body) if isinstance(part, Not))
    pairs = ({part.left, part.right} for part in unequal if isinstance(part, Equal))
    return frozenset(name for pair in pairs if variable in pair for name in pair if not name.startswith("?"))
