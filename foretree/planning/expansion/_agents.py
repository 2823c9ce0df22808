"""Who acts in an operator: its robots and their hands, and the anchors as they say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foretree.planning.expansion._hand_predicates import HandPredicate, HandPredicates
from foretree.planning.expansion._implied_literals import conjunction
from foretree.planning.expansion._kinds import Kinds
from foretree.planning.expansion.expansion_errors import UnexpandableOperatorError
from foretree.planning.pddl.formula_reader import negated
from foretree.planning.pddl.syntax import (
    And,
    Count,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    Or,
    Typed,
    atoms_of,
)
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.builtin_predicates import HAND_FREE, HAS_HAND, HOLDING


@dataclass(frozen=True, slots=True)
class Embodiment:
    """How an expanded domain speaks of robots and hands.

    Attributes:
        domain: the domain before expansion.
        anchors: its anchors.
        kinds: what robots and hands are called.
        hands: whether hands are told apart.
        two_handed: the operators that take two hands at once.
    """

    domain: Domain
    anchors: HandPredicates
    kinds: Kinds
    hands: bool
    two_handed: frozenset[str]

    def name_of(self, anchor: HandPredicate) -> str:
        """What an anchor is called after expansion.

        With several ways of holding things each keeps its name: which one it is may matter to the domain.
        """
        if anchor is self.anchors.hand_free:
            return HAND_FREE
        return HOLDING if len(self.anchors.holding) == 1 else anchor.predicate

    def predicates(self) -> dict[str, tuple[Typed, ...]]:
        """The anchors' declarations, and which hand is whose."""
        robot = self.kinds.variable("?r", self.kinds.robot)
        hand = (self.kinds.variable("?h", self.kinds.hand),) if self.hands else ()
        declared = {HAS_HAND: (robot, *hand)} if self.hands else {}
        declared[HAND_FREE] = (robot, *hand)
        for anchor in self.anchors.holding:
            assert anchor.item is not None
            item = self.domain.predicates[anchor.predicate][anchor.item]
            name = item.name if item.name not in ("?r", "?h") else "?o"
            declared[self.name_of(anchor)] = (robot, *hand, Typed(name, item.type))
        return declared


def embodiment_of(
    domain: Domain, anchors: HandPredicates, kinds: Kinds, hands: bool, two_handed: Sequence[str]
) -> Embodiment:
    """How *domain* is going to speak of robots and hands: a domain that tells its hands apart goes on so."""
    told_apart = hands or anchors.speak_of("hand")
    return Embodiment(domain, anchors, kinds, told_apart, frozenset(two_handed))


@dataclass
class Agents:
    """The robots and hands of one operator.

    Attributes:
        bodies: how the expanded domain speaks of robots and hands.
        operator: as it was before expansion.
        added: the parameters that it needs besides its own, in their order.
        robots: the terms that stand for its robots.
        hands: which hands each of its robots acts with.
    """

    bodies: Embodiment
    operator: Operator
    added: list[Typed] = field(default_factory=list)
    robots: list[str] = field(default_factory=list)
    hands: dict[str, list[str]] = field(default_factory=dict)

    # -- anchors -------------------------------------------------------------------------------------
    def robot_of(self, atom: Atom, anchor: HandPredicate) -> str:
        """The robot that *atom* is about: the one that it names, or the one that acts."""
        return anchor.robot_in(atom) or self.robots[0]

    def atoms(self, atom: Atom, anchor: HandPredicate) -> tuple[Atom, ...]:
        """*atom* for each of the hands that it is about after expansion."""
        robot = self.robot_of(atom, anchor)
        item = anchor.item_in(atom)
        rest = () if item is None else (item,)
        name = self.bodies.name_of(anchor)
        if not self.bodies.hands:
            return ((name, robot, *rest),)
        own = anchor.hand_in(atom)
        return tuple((name, robot, hand, *rest) for hand in ([own] if own else self.hands[robot]))

    def _is_any_robot(self, atom: Atom, anchor: HandPredicate) -> bool:
        """Whether a quantifier stands for the robot that *atom* is about, so that no hand of it acts."""
        robot, hand = anchor.robot_in(atom), anchor.hand_in(atom)
        return self.bodies.hands and hand is None and robot is not None and robot not in self.robots

    def condition(self, formula: Formula, positive: bool = True) -> Formula:
        """*formula* with its anchors as they are after expansion.

        "Is not held" means "in no hand of any robot"; "is held" means the hand that acts, or any hand of a
        robot that a quantifier stands for.
        """
        match formula:
            case Literal():
                return self._literal(formula, positive)
            case Not(part):
                return negated(self.condition(part, not positive))
            case And(parts):
                return And(tuple(self.condition(part, positive) for part in parts))
            case Or(parts):
                return Or(tuple(self.condition(part, positive) for part in parts))
            case Exists(variables, body) | Forall(variables, body):
                return type(formula)(variables, self.condition(body, positive))
            case Equal() | Count():
                return formula
        raise AssertionError(formula)

    def _literal(self, literal: Literal, positive: bool) -> Formula:
        anchor = self.bodies.anchors.of(literal.atom[0])
        if anchor is None:
            return literal
        negated_holding = anchor.item is not None and literal.positive != positive
        if negated_holding or self._is_any_robot(literal.atom, anchor):
            variables, atom = quantified_over_hands(self.bodies, anchor, literal.atom, self.taken())
            inner = Literal(atom, literal.positive)
            if not variables:
                return inner
            return Exists(variables, inner) if literal.positive else Forall(variables, inner)
        found = tuple(Literal(atom, literal.positive) for atom in self.atoms(literal.atom, anchor))
        return found[0] if len(found) == 1 else And(found)

    def effects(self) -> Iterator[Effect]:
        """The operator's effects with their anchors as they are after expansion."""
        for effect in self.operator.effects:
            atom, positive = effect.literal.atom, effect.literal.positive
            condition, variables = self.condition(effect.condition), effect.variables
            anchor = self.bodies.anchors.of(atom[0])
            if anchor is None:
                atoms: tuple[Atom, ...] = (atom,)
            elif self._is_any_robot(atom, anchor):
                hands, any_hand = quantified_over_hands(self.bodies, anchor, atom, self.taken())
                condition = conjunction(Literal((HAS_HAND, *any_hand[1:3])), condition)
                atoms, variables = (any_hand,), (*variables, *hands)
            else:
                atoms = self.atoms(atom, anchor)
            for each in atoms:
                yield Effect(Literal(each, positive), condition, variables)

    def guards(self) -> Iterator[Formula]:
        """What the operator needs of its robots and hands besides what it says itself."""
        kinds = self.bodies.kinds
        for parameter in self.added:
            kind = kinds.robot if parameter.name in self.robots else kinds.hand
            yield from kinds.guard(parameter.name, kind)
        for robot, hands in self.hands.items():
            for hand in hands:
                yield Literal((HAS_HAND, robot, hand))
            if len(hands) == 2 and self.operator.name in self.bodies.two_handed:
                yield Not(Equal(*hands))

    def taken(self) -> set[str]:
        """Every variable that the operator uses."""
        return variables_of(self.operator) | {parameter.name for parameter in self.added}


def quantified_over_hands(
    bodies: Embodiment, anchor: HandPredicate, atom: Atom, taken: set[str]
) -> tuple[tuple[Typed, ...], Atom]:
    """*atom* for any robot and hand that it leaves open, and the variables that stand for these."""
    variables = []
    robot, hand = anchor.robot_in(atom), anchor.hand_in(atom)
    if robot is None:
        robot = fresh("?any_robot", taken)
        variables.append(bodies.kinds.variable(robot, bodies.kinds.robot))
    if bodies.hands and hand is None:
        hand = fresh("?any_hand", taken)
        variables.append(bodies.kinds.variable(hand, bodies.kinds.hand))
    item = anchor.item_in(atom)
    terms = [term for term in (robot, hand if bodies.hands else None, item) if term is not None]
    return tuple(variables), (bodies.name_of(anchor), *terms)


def find_agents(bodies: Embodiment, operator: Operator) -> Agents:
    """Find the robots and hands among the parameters of *operator*, and add those that are missing.

    Raises:
        UnexpandableOperatorError: it takes two hands at once but uses none, or names its hands itself.
    """
    cast = Agents(bodies, operator)
    kinds = bodies.kinds
    taken = variables_of(operator)
    own = {p.name for p in operator.parameters} | {c.name for c in bodies.domain.constants}
    mentions = list(_acting(bodies, operator))
    robots = [anchor.robot_in(atom) for anchor, atom in mentions if anchor.robot_in(atom) in own]
    robots += kinds.among(bodies.domain, operator, kinds.robot)
    cast.robots = list(dict.fromkeys(r for r in robots if r))
    if not cast.robots:
        cast.robots = [fresh("?robot", taken)]
        cast.added.append(kinds.variable(cast.robots[0], kinds.robot))
    if not bodies.hands:
        return cast
    for anchor, atom in mentions:
        hand = anchor.hand_in(atom)
        robot = cast.robot_of(atom, anchor)
        if hand is not None:
            if hand in own and hand not in cast.hands.setdefault(robot, []):
                cast.hands[robot].append(hand)
        elif robot in cast.robots and robot not in cast.hands:
            cast.hands[robot] = []
            for wanted in ("?hand", "?other_hand")[: 1 + (operator.name in bodies.two_handed)]:
                name = fresh(wanted, taken)
                taken.add(name)
                cast.hands[robot].append(name)
                cast.added.append(kinds.variable(name, kinds.hand))
    if len(cast.robots) == 1:
        seen = cast.hands.get(cast.robots[0], [])
        for hand in kinds.among(bodies.domain, operator, kinds.hand):
            if hand not in seen:
                cast.hands.setdefault(cast.robots[0], []).append(hand)
    if operator.name in bodies.two_handed and sum(map(len, cast.hands.values())) != 2:
        reason = "it needs no hand at all" if not cast.hands else "it names its hands itself"
        raise UnexpandableOperatorError(
            f'two_handed names "{operator.name}", which cannot be made to take two hands: {reason}. Name '
            "operators that need the one implicit hand to be free, or to hold something.",
            ("action", operator.name),
            "two_handed",
        )
    return cast


def _acting(bodies: Embodiment, operator: Operator) -> Iterator[tuple[HandPredicate, Atom]]:
    """The anchors of an operator that are about the hand that acts."""
    conditions = [operator.precondition, *(effect.condition for effect in operator.effects)]
    atoms = [atom for condition in conditions for atom in _mentioned(bodies, condition, True)]
    atoms += [effect.literal.atom for effect in operator.effects]
    for atom in atoms:
        anchor = bodies.anchors.of(atom[0])
        if anchor is not None:
            yield anchor, atom


def _mentioned(bodies: Embodiment, formula: Formula, positive: bool) -> Iterator[Atom]:
    match formula:
        case Literal(atom, value):
            if value == positive or not bodies.anchors.holds(atom[0]):
                yield atom
        case Not(part):
            yield from _mentioned(bodies, part, not positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _mentioned(bodies, part, positive)
        case Exists(_, body) | Forall(_, body):
            yield from _mentioned(bodies, body, positive)


# -- variables ---------------------------------------------------------------------------------------
def fresh(wanted: str, taken: set[str]) -> str:
    """*wanted*, or the first of ``?name_2``, ``?name_3`` … that is not taken."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def variables_of(operator: Operator) -> set[str]:
    """Every variable that *operator* uses, its own parameters and those of its quantifiers."""
    found = {parameter.name for parameter in operator.parameters}
    for condition in (operator.precondition, *(effect.condition for effect in operator.effects)):
        found.update(_bound(condition))
        found.update(term for atom in atoms_of(condition) for term in atom[1:] if term[0] == "?")
    for effect in operator.effects:
        found.update(variable.name for variable in effect.variables)
    return found


def _bound(formula: Formula) -> Iterator[str]:
    match formula:
        case Not(part):
            yield from _bound(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _bound(part)
        case Exists(variables, body) | Forall(variables, body):
            yield from (variable.name for variable in variables)
            yield from _bound(body)
