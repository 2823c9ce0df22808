"""The corpus of base domains, and what lockstep walks through a base problem and an expanded one show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path

from foretree.planning.expansion._role_words import static_traits, traits
from foretree.planning.expansion.expand import ExpandedDomain, expand
from foretree.planning.expansion.options import Expansion
from foretree.planning.expansion.problem_expansion import Building, expand_problem, usual_building
from foretree.planning.pddl.parser import read_domain, read_problem
from foretree.planning.pddl.syntax import Problem
from foretree.planning.semantics.actions import TypedObjects, applicable, apply, instantiate

CORPUS = Path(__file__).parent / "base_domains"
NAMES = sorted(path.name for path in CORPUS.iterdir())

#: What the expansion of each domain needs to be told besides what every domain gets.
TOLD = {
    "painting": Expansion(placeless=("colour",)),
    "nested": Expansion(carry=("in", "on")),
    "tray": Expansion(carry=("on",)),
    "trolley": Expansion(carry=("on", "in"), mobile=("trolley",)),
    "workshop": Expansion(),
}


def told(name: str) -> Expansion:
    return TOLD.get(name, Expansion())


def base_problem(name: str) -> Problem:
    domain = read_domain(CORPUS / name / "domain.pddl")
    return read_problem(CORPUS / name / "problem.pddl", domain)


class Walker:
    """Applies the actions of one problem; parameters that are *fixed* stand for one object."""

    def __init__(self, problem: Problem, fixed: Mapping[str, str] | None = None) -> None:
        self.problem = problem
        self.objects = TypedObjects(problem.domain, problem.objects)
        fixed = fixed or {}
        self.actions = {}
        static = static_traits(problem.domain)
        for operator in problem.domain.operators.values():
            needed = traits(operator, static)
            choices = [
                (fixed[p.name],)
                if p.name in fixed
                else [
                    name
                    for name in problem.of_type(p.type)
                    if all((trait, name) in problem.init for trait in needed.get(p.name, ()))
                ]
                for p in operator.parameters
            ]
            for arguments in product(*choices):
                action = instantiate(operator, arguments, self.objects, problem.functions)
                self.actions[operator.name, arguments] = action

    def options(self, state):
        return {key for key, action in self.actions.items() if applicable(action, state, self.objects)}

    def after(self, state, key):
        return apply(self.actions[key], state, self.objects)


def stripped(key, expanded, base):
    """An action of the expanded problem without the arguments that expansion added."""
    name, arguments = key
    own = {p.name for p in base.operators[name].parameters}
    kept = [a for p, a in zip(expanded.operators[name].parameters, arguments, strict=True) if p.name in own]
    return name, tuple(kept)


def check_lockstep(problem: Problem, options: Expansion, most: int = 300, exact: bool = True) -> int:
    """Wherever plans of the base lead, those of its expansion to one node and one hand lead, and no further.

    Unless *exact*, only the latter. Returns the number of states seen.
    """
    domain = expand(problem.domain, options)
    lifted = expand_problem(problem, domain)
    # A hand or robot of the base domain's own is called something else, and varies.
    one_of_each = {"?robot": "robot1", "?hand": "hand1", "?node": "node1"}
    own = {object_name for object_name in one_of_each.values() if object_name not in lifted.objects}
    fixed = {name: value for name, value in one_of_each.items() if value not in own}
    base, grown = Walker(problem), Walker(lifted, fixed)
    start = (problem.init, lifted.init)
    seen, new = {start}, [start]
    while new and len(seen) < most:
        pairs = []
        for state, other in new:
            offered = {}
            for key in grown.options(other):
                assert key[0] in problem.domain.operators, f"{key} needs neither a way nor a door"
                offered.setdefault(stripped(key, domain, problem.domain), []).append(key)
            possible = base.options(state)
            assert set(offered) <= possible, sorted(set(offered) - possible)
            assert not exact or set(offered) == possible, sorted(possible - set(offered))
            for key, ways in sorted(offered.items()):
                pairs += [(base.after(state, key), grown.after(other, way)) for way in ways]
        new = [pair for pair in dict.fromkeys(pairs) if pair not in seen]
        seen.update(new)
    return len(seen)


def in_a_building(domain: ExpandedDomain, problem: Problem) -> Building:
    """Three nodes, the last behind a closed door; things that are not together are at different ones."""
    usual = usual_building(domain, problem)
    bodies = {*usual.robots, *(hand for hands in usual.robots.values() for hand in hands)}
    groups = [{name} for name in (*problem.objects, *(c.name for c in problem.domain.constants))]
    for atom in sorted(problem.init):
        touched = [group for group in groups if group & set(atom[1:])]
        groups = [group for group in groups if group not in touched] + [set().union(*touched)]
    where = {}
    for node, group in zip(cycle(("office", "kitchen", "hall")), sorted(groups, key=sorted), strict=False):
        where |= dict.fromkeys(sorted(group - bodies), node)
    ways = {("hall", "kitchen"): 4, ("hall", "office"): 7}
    return replace(
        usual,
        nodes=("hall", "kitchen", "office"),
        edges=ways | {(end, start): cost for (start, end), cost in ways.items()},
        doors={"door1": ("hall", "office")},
        closed=("door1",),
        where=where,
    )
