"""The robots and hands of an expanded domain, and those of each operator."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from foretree.planning.expansion._role_words import role_of, static_traits, traits, words_about
from foretree.planning.expansion.expansion_errors import UnexpandableOperatorError
from foretree.planning.expansion.hand_predicates import HandPredicate, HandPredicates
from foretree.planning.pddl.formula_reader import negated
from foretree.planning.pddl.syntax import (
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    Typed,
    literals_of,
    rebuild,
    terms_of,
    types_of,
    variables_in,
)
from foretree.planning.semantics.evaluation import conjunction
from foretree.world_model.beliefs.facts import HAND_FREE, HAS_HAND, HOLDING, Atom


@dataclass(frozen=True, slots=True)
class Kinds:
    """The names for robots, hands, nodes and doors in a domain.

    Attributes:
        typed: whether these are types; else they are unary predicates.
        robot: the domain's own name for robots if its hand predicates speak of them, else ``robot``.
        hand: likewise for hands.
        node: places to stand.
        door: doors.
        static: the domain's unary predicates that never change.
    """

    typed: bool
    robot: str = "robot"
    hand: str = "hand"
    node: str = "node"
    door: str = "door"
    static: frozenset[str] = frozenset()

    def variable(self, name: str, kind: str) -> Typed:
        """A variable that stands for things of a kind."""
        return Typed(name, kind) if self.typed else Typed(name)

    def guard(self, name: str, kind: str) -> tuple[Formula, ...]:
        """The conditions by which a variable stands for things of a kind."""
        return () if self.typed else (Literal((kind, name)),)

    def among(self, domain: Domain, operator: Operator, kind: str) -> list[str]:
        """The parameters of *operator* that are of a kind."""
        if self.typed:
            of_kind = [p for p in operator.parameters if kind != "object" and domain.is_a(p.type, kind)]
            return [parameter.name for parameter in of_kind]
        known = traits(operator, self.static)
        return [p.name for p in operator.parameters if kind in known.get(p.name, ())]


def find_kinds(domain: Domain, hand_predicates: HandPredicates) -> Kinds:
    """The names for the kinds in *domain*."""
    typed, static = bool(domain.types), static_traits(domain)
    names = {"robot": "robot", "hand": "hand"}
    for role in names:
        for predicate in (*hand_predicates.holding, hand_predicates.hand_free):
            position = getattr(predicate, role)
            if position is None:
                continue
            if typed:
                names[role] = domain.predicates[predicate.name][position].type
            else:
                words = words_about(domain, predicate.name, position)
                own = (word for word in words if word in domain.predicates and role_of([word]) == role)
                names[role] = next(own, role)
    return Kinds(typed, names["robot"], names["hand"], static=static)


def overlap(domain: Domain, one: str, other: str) -> bool:
    """True if a thing can be of both types."""
    return domain.is_a(one, other) or domain.is_a(other, one)


@dataclass(frozen=True, slots=True)
class Embodiment:
    """An expanded domain's words for robots and hands.

    Attributes:
        domain: the domain before expansion.
        hand_predicates: its hand_predicates.
        kinds: the names for robots and hands.
        hands: whether hands are told apart.
        two_handed: the operators that take two hands at once.
    """

    domain: Domain
    hand_predicates: HandPredicates
    kinds: Kinds
    hands: bool
    two_handed: frozenset[str]

    def name_of(self, predicate: HandPredicate) -> str:
        """The name of a hand predicate after expansion.

        With several ways of holding things each keeps its name: which one it is may matter to the domain.
        """
        if predicate is self.hand_predicates.hand_free:
            return HAND_FREE
        return HOLDING if len(self.hand_predicates.holding) == 1 else predicate.name

    def predicates(self) -> dict[str, tuple[Typed, ...]]:
        """The declarations of the hand predicates, and of the hands that each robot has."""
        robot = self.kinds.variable("?r", self.kinds.robot)
        hand = (self.kinds.variable("?h", self.kinds.hand),) if self.hands else ()
        declared = {HAS_HAND: (robot, *hand)} if self.hands else {}
        declared[HAND_FREE] = (robot, *hand)
        for predicate in self.hand_predicates.holding:
            assert predicate.item is not None
            item = self.domain.predicates[predicate.name][predicate.item]
            name = item.name if item.name not in ("?r", "?h") else "?o"
            declared[self.name_of(predicate)] = (robot, *hand, Typed(name, item.type))
        return declared


@dataclass
class Agents:
    """The robots and hands of one operator.

    Attributes:
        embodiment: how the expanded domain speaks of robots and hands.
        operator: as it was before expansion.
        added: the parameters that it needs besides its own, in their order.
        robots: the terms that stand for its robots.
        hands: which hands each of its robots acts with.
    """

    embodiment: Embodiment
    operator: Operator
    added: list[Typed] = field(default_factory=list)
    robots: list[str] = field(default_factory=list)
    hands: dict[str, list[str]] = field(default_factory=dict)

    # -- hand predicates -----------------------------------------------------------------------------
    def robot_of(self, atom: Atom, predicate: HandPredicate) -> str:
        """The robot that *atom* names, or the one that acts."""
        return predicate.term("robot", atom) or self.robots[0]

    def atoms(self, atom: Atom, predicate: HandPredicate) -> tuple[Atom, ...]:
        """*atom* for each of the hands that it is about after expansion."""
        robot = self.robot_of(atom, predicate)
        item = predicate.term("item", atom)
        rest = () if item is None else (item,)
        name = self.embodiment.name_of(predicate)
        if not self.embodiment.hands:
            return ((name, robot, *rest),)
        own = predicate.term("hand", atom)
        return tuple((name, robot, hand, *rest) for hand in ([own] if own else self.hands[robot]))

    def _is_any_robot(self, atom: Atom, predicate: HandPredicate) -> bool:
        """True if a quantifier stands for the robot of *atom*, so that no hand of it acts."""
        robot, hand = predicate.term("robot", atom), predicate.term("hand", atom)
        return self.embodiment.hands and hand is None and robot is not None and robot not in self.robots

    def condition(self, formula: Formula, positive: bool = True) -> Formula:
        """*formula* with its hand predicates as they are after expansion.

        "Is not held" means "in no hand of any robot"; "is held" means the hand that acts, or any hand of a
        robot that a quantifier stands for.
        """
        if isinstance(formula, Literal):
            return self._literal(formula, positive)
        if isinstance(formula, Not):
            return negated(self.condition(formula.part, not positive))
        return rebuild(formula, lambda part: self.condition(part, positive))

    def _literal(self, literal: Literal, positive: bool) -> Formula:
        predicate = self.embodiment.hand_predicates.of(literal.atom[0])
        if predicate is None:
            return literal
        negated_holding = predicate.item is not None and literal.positive != positive
        if negated_holding or self._is_any_robot(literal.atom, predicate):
            variables, atom = for_any_hand(self.embodiment, predicate, literal.atom, self.taken())
            inner = Literal(atom, literal.positive)
            if not variables:
                return inner
            return Exists(variables, inner) if literal.positive else Forall(variables, inner)
        return conjunction(*(Literal(atom, literal.positive) for atom in self.atoms(literal.atom, predicate)))

    def effects(self) -> Iterator[Effect]:
        """The operator's effects with their hand predicates as they are after expansion."""
        for effect in self.operator.effects:
            atom, positive = effect.literal.atom, effect.literal.positive
            condition, variables = self.condition(effect.condition), effect.variables
            predicate = self.embodiment.hand_predicates.of(atom[0])
            if predicate is None:
                atoms: tuple[Atom, ...] = (atom,)
            elif self._is_any_robot(atom, predicate):
                hands, any_hand = for_any_hand(self.embodiment, predicate, atom, self.taken())
                condition = conjunction(Literal((HAS_HAND, *any_hand[1:3])), condition)
                atoms, variables = (any_hand,), (*variables, *hands)
            else:
                atoms = self.atoms(atom, predicate)
            for each in atoms:
                yield Effect(Literal(each, positive), condition, variables)

    def guards(self) -> Iterator[Formula]:
        """The conditions on the operator's robots and hands besides its own."""
        kinds = self.embodiment.kinds
        for parameter in self.added:
            kind = kinds.robot if parameter.name in self.robots else kinds.hand
            yield from kinds.guard(parameter.name, kind)
        for robot, hands in self.hands.items():
            for hand in hands:
                yield Literal((HAS_HAND, robot, hand))
            if len(hands) == 2 and self.operator.name in self.embodiment.two_handed:
                yield Not(Equal(*hands))

    def add(self, name: str, kind: str) -> str:
        """Add a parameter of a kind; return its name, which is *name* where that is not taken."""
        name = fresh(name, self.taken())
        self.added.append(self.embodiment.kinds.variable(name, kind))
        return name

    def taken(self) -> set[str]:
        """Every variable that the operator uses."""
        operator = self.operator
        bound = [v for effect in operator.effects for v in effect.variables]
        for condition in operator.conditions:
            bound += variables_in(condition)
        terms = {term for condition in operator.conditions for term in terms_of(condition)}
        variables = (term for term in terms if term[0] == "?")
        return {*types_of((*operator.parameters, *self.added, *bound)), *variables}


def for_any_hand(
    embodiment: Embodiment, predicate: HandPredicate, atom: Atom, taken: set[str]
) -> tuple[tuple[Typed, ...], Atom]:
    """*atom* for any robot and hand that it leaves open, and the variables that stand for these."""
    kinds = embodiment.kinds
    variables = []
    robot, hand = predicate.term("robot", atom), predicate.term("hand", atom)
    if robot is None:
        robot = fresh("?any_robot", taken)
        variables.append(kinds.variable(robot, kinds.robot))
    if embodiment.hands and hand is None:
        hand = fresh("?any_hand", taken)
        variables.append(kinds.variable(hand, kinds.hand))
    terms = (robot, hand if embodiment.hands else None, predicate.term("item", atom))
    return tuple(variables), (embodiment.name_of(predicate), *(term for term in terms if term is not None))


def find_agents(embodiment: Embodiment, operator: Operator) -> Agents:
    """The robots and hands among the parameters of *operator*, and parameters for those that are missing.

    Raises:
        UnexpandableOperatorError: it takes two hands at once but uses none, or names its hands itself.
    """
    agents = Agents(embodiment, operator)
    domain, kinds = embodiment.domain, embodiment.kinds
    own = {*types_of(operator.parameters), *types_of(domain.constants)}
    mentions = list(_acting(embodiment, operator))
    robots = [robot for predicate, atom in mentions if (robot := predicate.term("robot", atom)) in own]
    robots += kinds.among(domain, operator, kinds.robot)
    agents.robots = list(dict.fromkeys(robot for robot in robots if robot))
    if not agents.robots:
        agents.robots = [agents.add("?robot", kinds.robot)]
    if embodiment.hands:
        _find_hands(agents, mentions, own)
    return agents


def _find_hands(agents: Agents, mentions: Sequence[tuple[HandPredicate, Atom]], own: Collection[str]) -> None:
    embodiment, operator, hands = agents.embodiment, agents.operator, agents.hands
    two_handed = operator.name in embodiment.two_handed
    for predicate, atom in mentions:
        hand = predicate.term("hand", atom)
        robot = agents.robot_of(atom, predicate)
        if hand is None and robot in agents.robots and robot not in hands:
            wanted = ("?hand", "?other_hand") if two_handed else ("?hand",)
            hands[robot] = [agents.add(name, embodiment.kinds.hand) for name in wanted]
        elif hand in own:
            hands[robot] = list(dict.fromkeys((*hands.get(robot, ()), str(hand))))
    if len(agents.robots) == 1:
        [robot] = agents.robots
        listed = embodiment.kinds.among(embodiment.domain, operator, embodiment.kinds.hand)
        if found := dict.fromkeys((*hands.get(robot, ()), *listed)):
            hands[robot] = list(found)
    if two_handed and sum(map(len, hands.values())) != 2:
        reason = "it names its hands itself" if hands else "it needs no hand at all"
        raise UnexpandableOperatorError(
            f'two_handed names "{operator.name}", which cannot be made to take two hands: {reason}. Name '
            "operators that need the one implicit hand to be free, or to hold something.",
            ("action", operator.name),
            "two_handed",
        )


def _acting(embodiment: Embodiment, operator: Operator) -> Iterator[tuple[HandPredicate, Atom]]:
    """The atoms of an operator that are about the hand that acts, with their hand predicates."""
    hand_predicates = embodiment.hand_predicates
    mentioned = [literal for condition in operator.conditions for literal in literals_of(condition)]
    atoms = [m.atom for m in mentioned if m.positive or not hand_predicates.holds(m.atom[0])]
    for atom in (*atoms, *(effect.literal.atom for effect in operator.effects)):
        predicate = hand_predicates.of(atom[0])
        if predicate is not None:
            yield predicate, atom


# -- variables ---------------------------------------------------------------------------------------
def fresh(wanted: str, taken: set[str]) -> str:
    """*wanted*, or the first of ``?name_2``, ``?name_3`` … that is not taken."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name
