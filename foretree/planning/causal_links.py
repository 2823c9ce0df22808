"""Causal links of a plan, and the partial order that they leave.

A *link* says that a literal is needed by one step (or the goal) and comes from an earlier one (or from the
world as it is). The links answer three questions without looking at the rest of the plan:

* what the rest of the plan still needs of the world, at any point: the links that span it. This is the goal
  regressed through the plan's suffixes. Where effects are conditional or preconditions disjunctive, what
  counts is the reason that holds when the plan is simulated, so every condition stays a conjunction;
* in which order steps have to run: a step follows the producers of what it needs, and no step that would
  destroy a link runs inside it;
* which actions have become useless: those all of whose products are there already.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from foretree.planning.incremental import BATCH, Increments, run_to_end, weighted
from foretree.planning.pddl.syntax import TRUE, And, Formula, Literal
from foretree.planning.semantics.actions import GroundAction, fired
from foretree.planning.semantics.derivation import Derivation
from foretree.planning.semantics.evaluation import Objects, evaluate, negate, state_oracle, witness
from foretree.world_model.beliefs.facts import Atom, Truth

#: The producer of what holds before the first step.
WORLD = -1

#: So many literals are one piece of work.
_AT_A_TIME = 20
#: Of literals that hold at once, none has the atom of another.
_atom = attrgetter("atom")


class Link(NamedTuple):
    """*consumer* needs *literal*, which *producer* makes true. Both are indices into the plan; the goal is
    the consumer ``len(plan)``, the world as it is the producer :data:`WORLD`."""

    producer: int
    consumer: int
    literal: Literal


@dataclass(frozen=True)
class Causality:
    """The links of a plan, what each step needs and makes, and the order that follows."""

    links: tuple[Link, ...]
    order: tuple[frozenset[int], ...]
    needs: tuple[frozenset[Literal], ...]
    makes: tuple[tuple[Literal, ...], ...]


def links_by_id(
    links: Iterable[Link], ids: Sequence[str]
) -> Increments[tuple[tuple[str, Literal, str], ...]]:
    """*links* with the steps' ids in place of their indices, ``world`` and ``goal`` at the ends."""
    names = {WORLD: "world", len(ids): "goal", **dict(enumerate(ids))}
    found: list[tuple[str, Literal, str]] = []
    for number, link in enumerate(links):
        if (number + 1) % (BATCH * _AT_A_TIME) == 0:
            yield BATCH
        found.append((names[link.producer], link.literal, names[link.consumer]))
    return tuple(found)


class BrokenPlanError(ValueError):
    """A step of the plan cannot be taken where it stands, or the goal does not hold at the end."""

    def __init__(self, step: int) -> None:
        super().__init__(f"step {step} of the plan does not hold together")
        self.step = step


def analyse(
    actions: Sequence[GroundAction],
    state: Iterable[Atom],
    goal: Formula,
    objects: Objects,
    derivation: Derivation | None = None,
) -> Causality:
    """Simulate *actions* from *state* and find why each of them is there.

    Args:
        actions: the plan.
        state: what is so before it.
        goal: what is to be so after it.
        objects: the objects that there are.
        derivation: what follows in states, if anything does; what is derived is needed for the sake of what
            it follows from.

    Raises:
        BrokenPlanError: a precondition or the goal does not hold when its turn comes.
    """
    return run_to_end(analyse_gradually(actions, state, goal, objects, derivation))


def analyse_gradually(
    actions: Sequence[GroundAction],
    state: Iterable[Atom],
    goal: Formula,
    objects: Objects,
    derivation: Derivation | None = None,
) -> Increments[Causality]:
    """Run :func:`analyse` step by step: each action counts as one."""
    current = _Simulation(state, objects, derivation)
    found = _LinkBuilder(len(actions))
    needs: list[frozenset[Literal]] = []
    makes: list[tuple[Literal, ...]] = []
    for step, action in enumerate(actions):
        if (step + 1) % BATCH == 0:
            yield BATCH
        strips = action.strips if derivation is None else None
        in_order: Sequence[Literal]
        try:
            if strips is not None:
                wanted, in_order, made = strips
                current.require(in_order)
            else:
                wanted = current.reasons_for(action)
                in_order = sorted(wanted, key=_atom)
                made = fired(action, current.oracle, objects)
        except ValueError:
            raise BrokenPlanError(step) from None
        found.consume(step, in_order)
        needs.append(wanted)
        makes.append(made)
        found.make(step, made, current.state)
        current.apply(made)
    yield from weighted(len(actions) // 40)
    try:
        wanted = current.reasons_for_formula(goal)
    except ValueError:
        raise BrokenPlanError(len(actions)) from None
    yield from weighted(len(wanted) // 25)
    needs.append(wanted)
    wanted_in_order = sorted(wanted, key=_atom)
    for begin in range(0, len(wanted_in_order), _AT_A_TIME):  # a goal may be as long as the plan
        yield 1
        found.consume(len(actions), wanted_in_order[begin : begin + _AT_A_TIME])
    order = yield from found.ordering()
    return Causality(tuple(found.links), order, tuple(needs), tuple(makes))


class _Simulation:
    """The state along a plan, and the reasons why something holds in it.

    Attributes:
        state: the atoms that are true, with what is derived from them.
        oracle: answers what is true in it.
    """

    def __init__(self, state: Iterable[Atom], objects: Objects, derivation: Derivation | None) -> None:
        self.state = set(state)
        self.oracle = state_oracle(self.state)
        self._objects = objects
        self._derivation = derivation
        self._derive()

    def require(self, literals: Iterable[Literal]) -> None:
        """Check that all *literals* are true.

        Raises:
            ValueError: one is not.
        """
        state = self.state
        for literal in literals:
            if (literal.atom in state) != literal.positive:
                raise ValueError

    def apply(self, literals: Iterable[Literal]) -> None:
        """Make *literals* true."""
        for literal in literals:
            if literal.positive:
                self.state.add(literal.atom)
            else:
                self.state.discard(literal.atom)
        self._derive()

    def reasons_for(self, action: GroundAction) -> frozenset[Literal]:
        """Return literals under which *action* is applicable and has the effects that it has now.

        Raises:
            ValueError: it is not applicable.
        """
        reasons = self.reasons_for_formula(action.precondition)
        for effect in action.effects:
            if effect.condition is TRUE or effect.condition == TRUE:
                continue
            holds = evaluate(effect.condition, self.oracle, self._objects) is Truth.TRUE
            reasons |= self.reasons_for_formula(effect.condition if holds else negate(effect.condition))
        return reasons

    def reasons_for_formula(self, formula: Formula) -> frozenset[Literal]:
        """Return true literals that imply *formula*.

        Raises:
            ValueError: it does not hold.
        """
        parts = formula.parts if isinstance(formula, And) else (formula,)
        literals = [part for part in parts if isinstance(part, Literal)]
        simple = len(literals) == len(parts)
        found = frozenset(literals) if simple else witness(formula, self.oracle, self._objects)
        self.require(found)
        return self._underived(found)

    def _underived(self, literals: frozenset[Literal]) -> frozenset[Literal]:
        """*literals*, with the reasons of those that are derived in their places."""
        derivation = self._derivation
        if derivation is None:
            return literals
        found: set[Literal] = set()
        for literal in literals:
            is_derived = derivation.is_derived(literal.atom)
            found |= derivation.reasons(literal.atom, self.state) if is_derived else {literal}
        return frozenset(found)

    def _derive(self) -> None:
        if self._derivation is not None:
            closed = self._derivation.close(frozenset(self.state))
            self.state.clear()
            self.state.update(closed)


class _LinkBuilder:
    """The links of a plan and the order that follows, found step by step.

    Args:
        length: how many steps the plan has.
    """

    def __init__(self, length: int) -> None:
        self.links: list[Link] = []
        self._order: list[set[int]] = [set() for _ in range(length + 1)]
        #: By the value that an atom has in them, and the atom.
        self._threads: tuple[dict[Atom, _LiteralHistory], dict[Atom, _LiteralHistory]] = ({}, {})

    def consume(self, step: int, literals: Iterable[Literal]) -> None:
        """*step* needs what is so."""
        order = self._order
        for literal in literals:
            alike = self._threads[literal.positive]
            thread = alike.get(literal.atom)
            if thread is None:
                thread = alike[literal.atom] = _LiteralHistory()
            producer = thread.producer
            self.links.append(Link(producer, step, literal))
            if producer != WORLD:
                order[step].add(producer)
                order[producer].update(thread.destroyers_before)
            if thread.consumers is None:
                thread.consumers = [step]
            else:
                thread.consumers.append(step)

    def make(self, step: int, literals: Iterable[Literal], before: Container[Atom]) -> None:
        """*step* makes that so, in a state *before* which it may have been so already."""
        for literal in literals:
            atom, positive = literal.atom, literal.positive
            alike, contrary = self._threads[positive], self._threads[not positive]
            # Steps that still rely on the opposite must be through before this step destroys it.
            opposite = contrary.get(atom)
            if opposite is None:
                opposite = contrary[atom] = _LiteralHistory()
            self._order[step].update(opposite.consumers or opposite.consumers_before)
            if opposite.destroyers is None:
                opposite.destroyers = [step]
            else:
                opposite.destroyers.append(step)
            if (atom in before) == positive:
                continue
            thread = alike.get(atom)
            alike[atom] = _LiteralHistory(step) if thread is None else thread.renewed_by(step)

    def ordering(self) -> Increments[tuple[frozenset[int], ...]]:
        """Return the steps that come before each step; to be asked once, at the end."""
        for threads in self._threads:
            yield from weighted(len(threads) // 60)
            threads.clear()
        self._order.pop()
        found: list[frozenset[int]] = []
        for step, before in enumerate(self._order):
            if (step + 1) % (BATCH * _AT_A_TIME) == 0:
                yield BATCH
            before.discard(step)
            found.append(frozenset(before))
        yield from weighted(len(found) // 40)
        self._order.clear()
        yield from weighted(len(found) // 40)
        return tuple(found)


@dataclass(slots=True)
class _LiteralHistory:
    """History of one literal along the plan: its last producer, and the steps that have used it since.

    A literal that no step has used orders nothing by itself: its producer may float. So what came before it
    stays relevant, and is carried over: earlier destroyers must not slip in behind the producer once it is
    used, and later destroyers must not slip in front of earlier users.
    """

    producer: int = WORLD
    destroyers_before: tuple[int, ...] = ()
    consumers_before: tuple[int, ...] = ()
    # Most threads have one or none of each: no list is made before it is needed.
    consumers: list[int] | None = None
    destroyers: list[int] | None = None

    def renewed_by(self, step: int) -> _LiteralHistory:
        destroyers = () if self.consumers else self.destroyers_before
        if self.destroyers:
            destroyers += tuple([d for d in self.destroyers if d != step])
        return _LiteralHistory(step, destroyers, tuple(self.consumers or self.consumers_before))
