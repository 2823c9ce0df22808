"""Expansion of a tabletop domain to a whole building: every operator is rewritten by rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from foretree.planning.expansion._agents import Agents, Embodiment, find_agents, find_kinds
from foretree.planning.expansion._operator_location import OperatorLocation, navigation_predicates
from foretree.planning.expansion._two_hand_grasps import TwoHandGrasps
from foretree.planning.expansion._validation import check_names, check_not_expanded, check_options
from foretree.planning.expansion.added_operators import (
    CLOSE_DOOR,
    DOOR_OPEN,
    OPEN_DOOR,
    move_robot,
    push,
    turn_door,
)
from foretree.planning.expansion.hand_predicates import find_hand_predicates
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.syntax import TOTAL_COST, Domain, Formula, Operator, Typed
from foretree.planning.semantics.axioms import domain_without_axioms
from foretree.planning.semantics.evaluation import conjunction, conjuncts
from foretree.world_model.beliefs.facts import HAS_DOOR, TRAVEL_COST


@dataclass(frozen=True, eq=False)
class ExpandedDomain(Domain):
    """A domain made by :func:`expand`. It is equal to any domain that says the same.

    Attributes:
        base: the domain that it was made from.
        options: what was added.
        embodiment: its words for robots and hands; None if it has none.
    """

    base: Domain = field(default_factory=lambda: Domain(""), repr=False)
    options: Expansion = field(default_factory=Expansion, repr=False)
    embodiment: Embodiment | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Domain):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in fields(Domain) if f.compare)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Domain], tuple[object, ...]]:
        # A worker process needs the domain, not its origin.
        return Domain, tuple(getattr(self, f.name) for f in fields(Domain))


def expand(domain: Domain, options: Expansion) -> ExpandedDomain:
    """*domain* with what *options* ask for.

    A domain that comes from here can be expanded further: the result is that of all options at once.

    Raises:
        ExpansionError: it cannot be expanded so; the subclass says what kind of mistake it is.
    """
    if isinstance(domain, ExpandedDomain) and expand(domain.base, domain.options) == domain:
        return expand(domain.base, domain.options | options)
    domain = domain_without_axioms(domain)
    check_not_expanded(domain)
    check_options(domain, options)
    counts_cost = options.costs or TOTAL_COST in domain.functions
    values = {f.name: getattr(domain, f.name) for f in fields(Domain)}
    if not options.acts:
        values["functions"] = _functions(domain, counts_cost)
        return ExpandedDomain(**values, base=domain, options=options)
    found = find_hand_predicates(domain, options)
    hands = options.hands_each is not None or found.speak_of("hand")
    embodiment = Embodiment(domain, found, find_kinds(domain, found), hands, frozenset(options.two_handed))
    additions = _Additions(embodiment, options, counts_cost)
    check_names(embodiment, options, additions.kinds, additions.predicates)
    agents = {name: find_agents(embodiment, operator) for name, operator in domain.operators.items()}
    grasps = TwoHandGrasps(embodiment, agents)
    operators = {name: _operator(own, grasps, options) for name, own in agents.items()}
    kept = {name: p for name, p in domain.predicates.items() if found.of(name) is None}
    declared = {} if embodiment.kinds.typed else dict.fromkeys(additions.kinds, (Typed("?x"),))
    values |= {
        "types": additions.types(),
        "predicates": {
            **declared,
            **kept,
            **embodiment.predicates(),
            **grasps.predicates(),
            **additions.predicates,
        },
        "functions": {**_functions(domain, counts_cost), **additions.functions()},
        "operators": {**operators, **additions.operators()},
    }
    return ExpandedDomain(**values, base=domain, options=options, embodiment=embodiment)


def _functions(domain: Domain, counts_cost: bool) -> Mapping[str, tuple[Typed, ...]]:
    return {TOTAL_COST: (), **domain.functions} if counts_cost else domain.functions


def _operator(agents: Agents, grasps: TwoHandGrasps, options: Expansion) -> Operator:
    operator = agents.operator
    own = conjuncts(operator.precondition)
    effects = [*agents.effects(), *grasps.effects(agents)]
    parameters = (*agents.added, *operator.parameters)
    here: Iterable[Formula] = ()
    reach: Iterable[Formula] = ()
    if options.navigates:
        location = OperatorLocation(agents, options)
        own = tuple(part for part in own if not location.is_redundant(part))
        parameters += (location.parameter(),)
        here, reach = location.guards(), location.reach()
        effects += location.effects()
    rewritten = map(agents.condition, own)
    condition = conjunction(*agents.guards(), *here, *rewritten, *grasps.guards(agents), *reach)
    return replace(operator, parameters=parameters, precondition=condition, effects=tuple(effects))


class _Additions:
    """The declarations and operators that an expansion adds.

    Attributes:
        kinds: types, or unary predicates where the domain has no types.
        predicates: predicates with their parameters.
    """

    def __init__(self, embodiment: Embodiment, options: Expansion, counts_cost: bool) -> None:
        self._embodiment = embodiment
        self._options = options
        self._counts_cost = counts_cost
        kinds = embodiment.kinds
        self._ends = (kinds.variable("?from", kinds.node), kinds.variable("?to", kinds.node))
        self.kinds = [kinds.robot, kinds.hand] if embodiment.hands else [kinds.robot]
        self.predicates = embodiment.predicates()
        if options.navigates:
            self.kinds.append(kinds.node)
            self.predicates |= navigation_predicates(embodiment)
        if options.doors:
            door = kinds.variable("?d", kinds.door)
            self.kinds.append(kinds.door)
            self.predicates[HAS_DOOR] = (door, *self._ends)
            if options.door_open is None:
                self.predicates[DOOR_OPEN] = (door,)

    def types(self) -> Mapping[str, str]:
        domain = self._embodiment.domain
        if not self._embodiment.kinds.typed:
            return domain.types
        added = [name for name in self.kinds if name not in (*domain.types, "object")]
        return {**domain.types, **dict.fromkeys(added, "object")}

    def functions(self) -> Mapping[str, tuple[Typed, ...]]:
        return {TRAVEL_COST: self._ends} if self._counts_cost and self._options.navigates else {}

    def operators(self) -> Mapping[str, Operator]:
        options = self._options
        added = [push(self._embodiment, kind, self._counts_cost) for kind in options.mobile]
        if options.doors:
            door_open = options.door_open or DOOR_OPEN
            added[:0] = [turn_door(self._embodiment, name, door_open) for name in (OPEN_DOOR, CLOSE_DOOR)]
        if options.navigates:
            added.insert(0, move_robot(self._embodiment, self._counts_cost))
        return {operator.name: operator for operator in added}
