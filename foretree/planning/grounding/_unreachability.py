"""Explanations of why a literal cannot be reached: the chain of what needs what, down to the root cause."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product

from foretree.planning.grounding.compilation import Compiled, Judgement
from foretree.planning.grounding.ground_task import GroundTask, SignedAtom
from foretree.planning.grounding.grounding import TooManyActionsError, ground
from foretree.planning.pddl.syntax import Effect, Literal, Operator, show, substitute_atom
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.planning.semantics.evaluation import literals_of
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit
from foretree.world_model.beliefs.facts import Atom

#: As many instances of an action are looked at to find the one that lacks least.
_MOST_WAYS = 200

#: More alternatives than this are not listed.
MOST_SHOWN = 4

#: So many things that no action makes true are tried out together as the missing ones.
_MOST_ROOTS = 30

#: In a problem of more actions than this, no fact is tried out as the missing one.
_MOST_TRIED = 50_000


def joined_by_and(words: Iterable[str]) -> str:
    """Return *words* with "and" between them."""
    return " and ".join(words)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way of making something true, and what it lacks; *hopeless* if no action could ever supply it."""

    action: str
    missing: tuple[Literal, ...]
    hopeless: bool


class UnreachabilityExplainer:
    """Explains why literals cannot be reached.

    Args:
        compiled: the compiled problem.
        grounding: all that can be reached in it.
        work: counts the steps.
    """

    def __init__(self, compiled: Compiled, grounding: GroundTask, work: WorkLimit) -> None:
        self._work = work
        self._compiled = compiled
        self._grounding = grounding
        self._problem = compiled.problem
        self._operators = list(compiled.problem.domain.operators.values())
        self._index = index_of(compiled.problem.domain)
        self._facts = AtomIndex(grounding.reached | compiled.problem.init)
        self._known_ways: dict[tuple[Literal, bool], list[_Way]] = {}
        of_type = cache(lambda name: frozenset(self._problem.of_type(name)))
        #: The objects that each parameter of an operator may stand for.
        self._members = {o.name: {p.name: of_type(p.type) for p in o.parameters} for o in self._operators}
        self._begins = {atom[:2] for atom in self._problem.init if len(atom) > 2}
        #: To what an explanation led back that it was to explain.
        self._led_back: Literal | None = None

    def explain(self, unreachable: Sequence[SignedAtom]) -> str:
        """One sentence for each reason why literals cannot be reached."""
        reasons: dict[str, list[Literal]] = {}
        for atom, positive in unreachable:
            literal = Literal(atom, positive)
            reasons.setdefault(self._reason(literal), []).append(literal)
        sentences = []
        for because, literals in reasons.items():
            shown = [show(literal) for literal in literals if literal.atom not in self._compiled.judgements]
            more = len(shown) - MOST_SHOWN
            what = ", ".join(shown[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
            sentences.append(f"{what or 'The goal'} cannot be reached: {because}.")
        more = len(sentences) - MOST_SHOWN
        return " ".join(
            sentences[:MOST_SHOWN] + ([f"And so on, for {more} reasons more."] if more > 0 else [])
        )

    def _reason(self, literal: Literal) -> str:
        self._led_back = None
        because = self._because(literal, ())
        if because is None or self._led_back:
            # Of all that only leads back to itself, something may be what no action makes at all.
            root = self._root(literal)
            if root is not None:
                return root
        return because or "nothing is known of it"

    def _root(self, wanted: Literal) -> str | None:
        """The nearest thing that no action makes true, and with which *wanted* could be reached."""
        roots = list(islice(self._roots(wanted), _MOST_ROOTS))
        for missing, action in roots[:MOST_SHOWN]:
            if self._suffices([missing], wanted):
                return f"it takes {show(missing)} (to {action}), which no action makes true"
        if len(roots) > 1 and self._suffices([missing for missing, _ in roots], wanted):
            missing, action = roots[0]
            return f"it takes {show(missing)} (to {action}) and more like that, which no action makes true"
        return None

    def _roots(self, wanted: Literal) -> Iterator[tuple[Literal, str]]:
        """Yield literals below *wanted* that no action makes true, the nearest first, each with its user."""
        queue = deque([wanted])
        seen = {wanted}
        while queue and len(seen) <= _MOST_WAYS:
            for way in self._all_ways(queue.popleft(), apart=True):
                for missing in way.missing:
                    open_places = any(term.startswith("?") for term in missing.atom[1:])
                    if way.hopeless or missing in seen or open_places or not missing.positive:
                        continue
                    seen.add(missing)
                    queue.append(missing)
                    ways = self._all_ways(missing, apart=True)
                    # A thing that is nowhere is not missing in any particular place.
                    if not ways or (all(w.hopeless for w in ways) and missing.atom[:2] in self._begins):
                        yield missing, way.action

    def _suffices(self, supplied: Sequence[Literal], wanted: Literal) -> bool:
        """Return whether *wanted* could be reached, were all that is *supplied* so from the beginning."""
        init = self._problem.init.union(literal.atom for literal in supplied)
        try:
            problem = replace(self._problem, init=init)
            grounding = ground(problem, prune=False, most=_MOST_TRIED, work=self._work)
        except (TooManyActionsError, TooMuchWorkError):
            return False
        return grounding.reaches((wanted.atom, wanted.positive))

    def _all_ways(self, literal: Literal, *, apart: bool = False) -> list[_Way]:
        """All ways to make *literal* so; *apart* for each object that several preconditions may share."""
        key = literal, apart
        ways = self._known_ways.get(key)
        if ways is None:
            achievers = self._index.achievers(literal.atom[0], literal.positive)
            ways = [way for o, effect in achievers for way in self._ways(o, effect, literal, apart)]
            self._known_ways[key] = ways
        return ways

    def _because(self, literal: Literal, path: tuple[Literal, ...]) -> str | None:
        """Return the root cause; None if it leads back to what is being explained."""
        verdict = self._compiled.judgements.get(literal.atom)
        if verdict is not None:
            return self._because_of_alternatives(verdict, (*path, literal))
        ways = self._all_ways(literal)
        if not ways:
            return f"no action makes {show(Literal(literal.atom))} {'true' if literal.positive else 'false'}"
        best = min(ways, key=lambda way: (way.hopeless, len(way.missing)))
        lacking = _lacking(ways, best)
        shown = [*map(show, lacking[:MOST_SHOWN]), *(["…"] if len(lacking) > MOST_SHOWN else [])]
        needs = f"it needs {' or '.join(shown)} (to {best.action})"
        if best.hopeless:
            if any(term.startswith("?") for term in best.missing[0].atom):
                return f"{needs}, and there is no such thing"
            return f"{needs}, which is not so, and no other action would do"
        here = (*path, literal)
        back = next((missing for missing in lacking if missing in here), None)
        if back is not None:
            self._led_back = back
            return None
        first = self._because(lacking[0], here)
        if first is None or any(self._because(missing, here) is None for missing in lacking[1:]):
            # Some of it only leads back here: had it been so from the beginning, that would do.
            back = self._led_back = self._led_back or literal
            return f"{needs}, {self._circular(back, alone=len(lacking) == 1)}"
        which = "which" if len(lacking) == 1 else show(lacking[0])
        return f"{needs}, {which} cannot be reached either: {first}"

    def _circular(self, back: Literal, *, alone: bool) -> str:
        """Say that what is needed takes *back* first, which is being explained."""
        which = "which takes" if alone else "each of which takes"
        left = list(islice(dict.fromkeys(self._left_behind(back)), MOST_SHOWN))
        if left:
            so = "is" if len(left) == 1 else "are"
            lies = f"{joined_by_and(map(show, left))}, which {so} so"
            return f"{which} {show(back)} first, and no action begins with {lies}"
        if len(back.atom) == 1:
            return f"{which} {show(back)} first, which is not so"
        return f"and nothing is known of {'that' if alone else 'any of that'}"

    def _left_behind(self, literal: Literal) -> Iterator[Literal]:
        """Yield initial facts that actions leave behind where they end *literal*, and that are of no use:
        one could have come from there, were there an action that needs it."""
        needed = {
            part.atom[0]
            for operator in self._operators
            for formula in operator.conditions
            for part in literals_of(formula)
            if part.positive
        }
        for operator in self._operators:
            for source in self._index.parts(operator).consumed:
                binding = self._unify(operator, source, literal.atom)
                for effect in operator.effects if binding is not None else ():
                    atom = substitute_atom(effect.literal.atom, binding or {})
                    if effect.literal.positive and atom[0] not in needed and atom in self._problem.init:
                        yield Literal(atom)

    def _because_of_alternatives(self, verdict: Judgement, path: tuple[Literal, ...]) -> str | None:
        lacking = [
            next((literal for literal in literals if not self._holds(literal)), None)
            for literals in verdict.alternatives
        ]
        total, possible = len(lacking), lacking.count(None)
        if possible >= verdict.needed:
            # Each condition by itself can be: grounding leaves out what needs two that exclude each other.
            alternatives = zip(verdict.alternatives, lacking, strict=True)
            together = next(literals for literals, lack in alternatives if lack is None)
            others = ", and so do others" if total > 1 else ""
            return f"{joined_by_and(map(show, together))} exclude each other{others}"
        reason = next(
            (
                f"{show(m)}: {r}"
                for m in lacking
                if m is not None and (r := self._because(m, path)) is not None
            ),
            "nothing is known of them",
        )
        if possible == 0:
            return f"none of its {total} alternatives can be, for example {reason}"
        return f"{verdict.needed} of {total} conditions are needed and only {possible} can hold; not {reason}"

    def _holds(self, literal: Literal) -> bool:
        return self._grounding.reaches((literal.atom, literal.positive))

    # -- ways to make something true -----------------------------------------------------------------------

    def _ways(self, operator: Operator, effect: Effect, wanted: Literal, apart: bool) -> Iterator[_Way]:
        """Yield the instances of *operator* that make *wanted* true by *effect* and lack least."""
        binding = self._unify(operator, effect.literal.atom, wanted.atom)
        if binding is not None and operator.name in self._compiled.origin:
            action = self._compiled.origin[operator.name][0]
            literals = [*self._index.parts(operator).literals, *literals_of(effect.condition)]
            yield from self._instances(action, literals, binding, self._members[operator.name], apart)

    def _unify(self, operator: Operator, atom: Atom, wanted: Atom) -> dict[str, str] | None:
        """The parameters for which *atom* of *operator* becomes *wanted*, in which variables are open."""
        terms = [None if term[0] == "?" else term for term in wanted]
        return unify(atom, terms, allowed=self._members[operator.name]) if atom[0] == wanted[0] else None

    def _instances(
        self,
        action: str,
        literals: Sequence[Literal],
        binding: dict[str, str],
        members: Mapping[str, frozenset[str]],
        apart: bool,
    ) -> Iterator[_Way]:
        static = [part for part in literals if part.atom[0] not in self._index.fluents]
        fluent = [part for part in literals if part.atom[0] in self._index.fluents]
        often = [term for term in members if sum(term in part.atom[1:] for part in fluent) > 1]
        found = False
        every = (
            further
            for match in self._matches(static, binding, members)
            for further in self._bind_shared(match, often if apart else (), members)
        )
        for complete in islice(every, _MOST_WAYS):
            found = True
            missing = tuple(self._missing(fluent, complete, members))
            if missing:
                yield _Way(action, missing, hopeless=False)
        if found:
            return
        for number in range(1, len(static) + 1):
            if next(self._matches(static[:number], binding, members), None) is None:
                part = static[number - 1]
                yield _Way(
                    action, (Literal(substitute_atom(part.atom, binding), part.positive),), hopeless=True
                )
                return

    def _matches(
        self, literals: Sequence[Literal], binding: dict[str, str], members: Mapping[str, frozenset[str]]
    ) -> Iterator[dict[str, str]]:
        """All extensions of *binding* under which the literals are facts (or can become so)."""
        if not literals:
            yield binding
            return
        atom = substitute_atom(literals[0].atom, binding)
        if not literals[0].positive:
            if atom not in self._problem.init:
                yield from self._matches(literals[1:], binding, members)
            return
        for fact in self._facts.candidates(atom):
            extended = unify(atom, fact, binding, members)
            if extended is not None:
                yield from self._matches(literals[1:], extended, members)

    def _bind_shared(
        self, binding: dict[str, str], terms: Sequence[str], members: Mapping[str, frozenset[str]]
    ) -> Iterator[dict[str, str]]:
        """*binding* with each object for those of *terms* that it leaves open."""
        left = [term for term in terms if term not in binding]
        for names in product(*(sorted(members[term]) for term in left)):
            yield {**binding, **dict(zip(left, names, strict=True))}

    def _missing(
        self, literals: Sequence[Literal], binding: dict[str, str], members: Mapping[str, frozenset[str]]
    ) -> Iterator[Literal]:
        """Yield the literals that cannot be reached; first those that cannot be, whatever the rest is."""
        alone = [
            part
            for part in literals
            if part.positive and not self._facts.has_instance(substitute_atom(part.atom, binding))
        ]
        if alone:
            yield from (Literal(substitute_atom(part.atom, binding)) for part in alone)
            return
        for part in sorted(literals, key=lambda part: not part.positive):
            atom = substitute_atom(part.atom, binding)
            if part.positive:
                extended = next(self._matches([part], binding, members), None)
                if extended is None:
                    yield Literal(atom)
                else:
                    binding = extended
            elif not any(term.startswith("?") for term in atom[1:]) and not self._holds(Literal(atom, False)):
                yield Literal(atom, False)


def _lacking(ways: Iterable[_Way], best: _Way) -> list[Literal]:
    """Return what the best way lacks first, with other ways of its action that lack as much."""
    alike = (way for way in ways if (way.action, way.hopeless) == (best.action, best.hopeless))
    return list(dict.fromkeys(way.missing[0] for way in alike if len(way.missing) == len(best.missing)))
