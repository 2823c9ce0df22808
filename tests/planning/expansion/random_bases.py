"""Random tabletop domains, each with a small problem: any style of anchors, typed or not, odd operators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from hypothesis import strategies as st

from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Cost,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Literal,
    Not,
    Operator,
    Or,
    Problem,
    Typed,
)

ITEMS, PLACES = ("cup", "pot"), ("desk", "shelf")


@dataclass(frozen=True)
class Style:
    """How a domain says things."""

    typed: bool
    agents: tuple[str, ...]  # what "free" is about: some of robot and gripper, in any order
    shared: tuple[int, ...]  # where "held" has these and the thing held
    stacking: bool  # whether things stand on things

    def kind(self, kind: str) -> str:
        return kind if self.typed else "object"

    def agent_terms(self) -> tuple[str, ...]:
        return tuple(f"?{agent[0]}" for agent in self.agents)

    def free(self):
        return ("unbusy", *self.agent_terms())

    def held(self, item: str):
        terms = (*self.agent_terms(), item)
        return ("has", *(terms[i] for i in self.shared))


@st.composite
def styles(draw) -> Style:
    agents = draw(
        st.sampled_from([(), (), ("robot",), ("gripper",), ("robot", "gripper"), ("gripper", "robot")])
    )
    shared = tuple(draw(st.permutations(range(len(agents) + 1))))
    return Style(draw(st.booleans()), agents, shared, draw(st.booleans()))


class Maker:
    """Makes the operators of one domain."""

    def __init__(self, draw, style: Style) -> None:
        self.draw, self.style = draw, style

    def flip(self, of: int = 2) -> bool:
        return self.draw(st.integers(1, of)) == 1

    def operator(self, name, variables, conditions, effects, uses_hand=True) -> Operator:
        """An operator over *variables*, which begin with i for items and p for places."""
        agents = tuple(Typed(f"?{a[0]}", self.style.kind(a)) for a in self.style.agents) if uses_hand else ()
        kinds = {"i": "item", "p": "place"}
        own = tuple(Typed(v, self.style.kind(kinds[v[1]])) for v in variables)
        parts = []
        if not self.style.typed:
            parts += [Literal((kinds[v[1]], v)) for v in variables]
            parts += [Literal((a, f"?{a[0]}")) for a in self.style.agents] if uses_hand else []
        parts += conditions
        parts += [Not(Equal(a, b)) for a, b in combinations(variables, 2) if a[1] == b[1]]
        parameters = self.draw(st.permutations((*agents, *own)))
        return Operator(name, tuple(parameters), And(tuple(parts)), tuple(effects), Cost(1))

    # -- grasping and letting go, in all kinds of ways -------------------------------------------------
    def handling(self):
        free, held = self.style.free(), self.style.held("?i")
        grasp = [Effect(Literal(held)), Effect(Literal(free, False))]
        let_go = [Effect(Literal(held, False)), Effect(Literal(free))]
        rest = Literal(("on", "?i", "?p"))
        yield self.operator(
            "pick", ["?i", "?p"], [Literal(free), rest], [*grasp, Effect(~rest), *self.more("?i")]
        )
        yield self.operator("put", ["?i", "?p"], [Literal(held)], [*let_go, Effect(rest), *self.more("?i")])
        if self.style.stacking:
            stands = Literal(("on", "?i2", "?p"))
            stacked = Literal(("on", "?i", "?i2"))
            yield self.operator(
                "stack", ["?i", "?i2", "?p"], [Literal(held), stands], [*let_go, Effect(stacked)]
            )
            yield self.operator(
                "unstack", ["?i", "?i2"], [Literal(free), stacked], [*grasp, Effect(~stacked)]
            )
        if self.flip():
            yield self.operator("lose", ["?i"], [Literal(held)], let_go)
            support = Typed("?any") if self.style.stacking else Typed("?any", self.style.kind("place"))
            nowhere = Forall((support,), Literal(("on", "?i", "?any"), False))
            yield self.operator("lift", ["?i"], [Literal(free), nowhere, self.not_held("?i")], grasp)
        if self.flip():
            wet = Literal(("wet", "?i"))
            slips = [Effect(e.literal, wet) for e in (*let_go, Effect(rest))]
            yield self.operator("carry_over", ["?i", "?p"], [Literal(held)], slips)
        if self.flip(3):
            yield self.operator("tip", ["?i", "?p"], [rest], [Effect(~rest)], uses_hand=False)
        if self.flip(3):
            there = Literal(("on", "?i", "?p2"))
            yield self.operator(
                "slide", ["?i", "?p", "?p2"], [rest], [Effect(~rest), Effect(there)], uses_hand=False
            )
        if self.flip(3):
            other = self.style.held("?i2")
            lies = Literal(("on", "?i2", "?p"))
            effects = [Literal(held, False), Literal(other), ~lies, rest]
            yield self.operator(
                "exchange", ["?i", "?i2", "?p"], [Literal(held), lies], [Effect(e) for e in effects]
            )

    def not_held(self, item):
        held = self.style.held(item)
        variables = [
            Typed(t, self.style.kind(a))
            for t, a in zip(self.style.agent_terms(), self.style.agents, strict=True)
        ]
        return Forall(tuple(variables), Literal(held, False)) if variables else Literal(held, False)

    def more(self, item):
        """Effects that come with handling a thing."""
        if self.flip(3):
            yield Effect(Literal(("wet", item), self.flip()), Literal(("dark",)) if self.flip() else TRUE)

    # -- anything else ---------------------------------------------------------------------------------
    def deed(self, name):
        variables = self.draw(st.sampled_from([["?i"], ["?p"], ["?i", "?p"], ["?i", "?i2"], []]))
        uses_hand = self.flip()
        conditions = [self.condition(variables, uses_hand) for _ in range(self.draw(st.integers(0, 2)))]
        effects = []
        for _ in range(self.draw(st.integers(1, 2))):
            bound = (Typed("?any", self.style.kind("item")),) if self.flip(4) else ()
            terms = [v for v in variables if v[1] == "i"] + [v.name for v in bound]
            choices = (
                [("dark",)] + [("wet", t) for t in terms] + [("lit", v) for v in variables if v[1] == "p"]
            )
            condition = self.condition(variables, uses_hand) if self.flip(3) else TRUE
            effects.append(
                Effect(Literal(self.draw(st.sampled_from(choices)), self.flip()), condition, bound)
            )
        return self.operator(name, variables, conditions, effects, uses_hand)

    def condition(self, variables, uses_hand, depth=1):
        items = [v for v in variables if v[1] == "i"]
        places = [v for v in variables if v[1] == "p"]
        choices = [Literal(("dark",), self.flip())]
        choices += [Literal(("wet", item), self.flip()) for item in items]
        choices += [Literal(("lit", place), self.flip()) for place in places]
        choices += [Literal(("on", item, place), self.flip()) for item in items for place in places]
        choices += [self.not_held(item) for item in items]
        if uses_hand:
            choices += [Literal(self.style.free(), self.flip())]
            choices += [Literal(self.style.held(item)) for item in items]
        if depth:
            two = [self.condition(variables, uses_hand, 0) for _ in range(2)]
            choices += [Or(tuple(two)), And(tuple(two)), Not(And(tuple(two)))]
            some = Typed("?some", self.style.kind("item"))
            body = Literal(("wet", "?some"), self.flip())
            choices += [Exists((some,), body), Forall((some,), body)]
            if uses_hand:
                choices += [Exists((some,), Literal(self.style.held("?some")))]
        return self.draw(st.sampled_from(choices))


@st.composite
def tasks(draw):
    """A problem of a random base domain, options for it, and whether its plans must be exactly the same."""
    style = draw(styles())
    maker = Maker(draw, style)
    operators = {operator.name: operator for operator in maker.handling()}
    for index in range(draw(st.integers(0, 3))):
        operators[f"deed{index}"] = maker.deed(f"deed{index}")
    agents = tuple(Typed(f"?{agent[0]}", style.kind(agent)) for agent in style.agents)
    item, place = Typed("?i", style.kind("item")), Typed("?p", style.kind("place"))
    predicates = {
        "unbusy": agents,
        "has": tuple((*agents, item)[i] for i in style.shared),
        "on": (item, Typed("?p") if style.stacking else place),
        "wet": (item,),
        "lit": (place,),
        "dark": (),
    }
    objects = dict.fromkeys(ITEMS, style.kind("item")) | dict.fromkeys(PLACES, style.kind("place"))
    names = {agent: f"my_{agent}" for agent in style.agents}
    objects |= {name: style.kind(agent) for agent, name in names.items()}
    init = set()
    if not style.typed:
        predicates |= {kind: (Typed("?x"),) for kind in ("item", "place", *style.agents)}
        init |= {("item", i) for i in ITEMS} | {("place", p) for p in PLACES}
        init |= set(names.items())
    ground = {f"?{agent[0]}": name for agent, name in names.items()}
    holds = draw(st.sampled_from([None, *ITEMS]))
    for thing in ITEMS:
        if thing == holds:
            init.add(tuple(ground.get(t, t) for t in style.held(thing)))
        else:
            init.add(("on", thing, draw(st.sampled_from(PLACES))))
    if holds is None:
        init.add(tuple(ground.get(t, t) for t in style.free()))
    init |= set(draw(st.lists(st.sampled_from([("dark",), ("wet", "cup"), ("lit", "desk"), ("wet", "pot")]))))
    types = dict.fromkeys(("item", "place", *style.agents), "object") if style.typed else {}
    domain = Domain("random", types, (), predicates, {}, operators)
    goal = draw(
        st.sampled_from([Literal(("on", "cup", "shelf")), Literal(("wet", "pot")), Literal(("dark",), False)])
    )
    problem = Problem("random", domain, objects, frozenset(init), goal)
    carry = ("on",) if draw(st.booleans()) else ()
    options = Expansion(
        navigation=True,
        hands=draw(st.sampled_from([None, 1])),
        costs=draw(st.booleans()),
        carry=carry,
        # Random effects can make anything look like holding; they are found without help where they do not.
        hand_free="unbusy",
        holding=("has",),
    )
    return problem, options, not (carry and style.stacking)
