"""From a tabletop domain to one for a whole building: every operator rewritten by rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from foretree.planning.expansion._agents import Agents, Embodiment, embodiment_of, find_agents
from foretree.planning.expansion._hand_predicates import find_hand_predicates
from foretree.planning.expansion._implied_literals import conjunction
from foretree.planning.expansion._kinds import Kinds, find_kinds
from foretree.planning.expansion._operator_location import OperatorLocation, navigation_predicates
from foretree.planning.expansion._two_hand_grasps import TwoHandGrasps
from foretree.planning.expansion._validation import check_names, check_not_expanded, check_options
from foretree.planning.expansion.added_operators import DOOR_OPEN, move_robot, open_door, push
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.syntax import TOTAL_COST, Domain, Operator, Typed
from foretree.planning.semantics.axioms import domain_without_axioms
from foretree.planning.semantics.evaluation import conjuncts
from foretree.world_model.builtin_predicates import HAS_DOOR, TRAVEL_COST


@dataclass(frozen=True, eq=False)
class ExpandedDomain(Domain):
    """A domain made by :func:`expand`. It is equal to any domain that says the same.

    Attributes:
        base: the domain that it was made from.
        options: what was added.
        bodies: how it speaks of robots and hands; None if it does not.
    """

    base: Domain = field(default_factory=lambda: Domain(""), repr=False)
    options: Expansion = field(default_factory=Expansion, repr=False)
    bodies: Embodiment | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Domain):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in fields(Domain) if f.compare)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Domain], tuple[object, ...]]:
        # A worker process needs what the domain says, not where it comes from.
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
        values["functions"] = _functions(domain, None, counts_cost)
        return ExpandedDomain(**values, base=domain, options=options)
    anchors = find_hand_predicates(domain, options)
    bodies = embodiment_of(
        domain, anchors, find_kinds(domain, anchors), options.hands_each is not None, options.two_handed
    )
    check_names(bodies, options)
    casts = {name: find_agents(bodies, operator) for name, operator in domain.operators.items()}
    both = TwoHandGrasps(bodies, casts)
    operators = {name: _operator(cast, both, options) for name, cast in casts.items()}
    for added in _added(bodies, options, counts_cost):
        operators[added.name] = added
    values |= {
        "types": _types(domain, bodies, options),
        "predicates": _predicates(domain, bodies, both, options),
        "functions": _functions(domain, bodies.kinds if options.navigates else None, counts_cost),
        "operators": operators,
    }
    return ExpandedDomain(**values, base=domain, options=options, bodies=bodies)


def _operator(cast: Agents, both: TwoHandGrasps, options: Expansion) -> Operator:
    operator = cast.operator
    site = OperatorLocation(cast, options) if options.navigates else None
    own = [
        cast.condition(part)
        for part in conjuncts(operator.precondition)
        if site is None or not site.goes_without_saying(part)
    ]
    effects = [*cast.effects(), *both.effects(cast)]
    if site is None:
        condition = conjunction(*cast.guards(), *own, *both.guards(cast))
        parameters = (*cast.added, *operator.parameters)
    else:
        condition = conjunction(*cast.guards(), *site.guards(), *own, *both.guards(cast), *site.reach())
        parameters = (*cast.added, *operator.parameters, site.parameter())
        effects += site.effects()
    return replace(operator, parameters=parameters, precondition=condition, effects=tuple(effects))


def _added(bodies: Embodiment, options: Expansion, counts_cost: bool) -> list[Operator]:
    added = []
    if options.navigates:
        added.append(move_robot(bodies, counts_cost))
    if options.doors:
        added.append(open_door(bodies, options.door_open or DOOR_OPEN))
    added += [push(bodies, kind, counts_cost) for kind in options.mobile]
    return added


# -- declarations ------------------------------------------------------------------------------------
def _types(domain: Domain, bodies: Embodiment, options: Expansion) -> Mapping[str, str]:
    kinds = bodies.kinds
    if not kinds.typed:
        return domain.types
    added = [name for name in _kind_names(bodies, options) if name not in (*domain.types, "object")]
    return {**domain.types, **dict.fromkeys(added, "object")}


def _kind_names(bodies: Embodiment, options: Expansion) -> list[str]:
    kinds = bodies.kinds
    names = [kinds.robot]
    if bodies.hands:
        names.append(kinds.hand)
    if options.navigates:
        names.append(kinds.node)
    if options.doors:
        names.append(kinds.door)
    return names


def _predicates(
    domain: Domain, bodies: Embodiment, both: TwoHandGrasps, options: Expansion
) -> Mapping[str, tuple[Typed, ...]]:
    kinds = bodies.kinds
    anchors = {anchor.predicate for anchor in (bodies.anchors.hand_free, *bodies.anchors.holding)}
    declared: dict[str, tuple[Typed, ...]] = {}
    if not kinds.typed:
        declared = {name: (Typed("?x"),) for name in _kind_names(bodies, options)}
    declared |= {name: p for name, p in domain.predicates.items() if name not in anchors}
    declared |= bodies.predicates()
    declared |= both.predicates()
    if options.navigates:
        declared |= navigation_predicates(bodies)
    if options.doors:
        ends = (kinds.variable("?from", kinds.node), kinds.variable("?to", kinds.node))
        declared[HAS_DOOR] = (kinds.variable("?d", kinds.door), *ends)
        if options.door_open is None:
            declared[DOOR_OPEN] = (kinds.variable("?d", kinds.door),)
    return declared


def _functions(domain: Domain, kinds: Kinds | None, counts_cost: bool) -> Mapping[str, tuple[Typed, ...]]:
    if not counts_cost:
        return domain.functions
    declared = {TOTAL_COST: (), **domain.functions}
    if kinds is not None:
        ends = (kinds.variable("?from", kinds.node), kinds.variable("?to", kinds.node))
        declared[TRAVEL_COST] = ends
    return declared
