"""Why each action of a plan is there: causal links, and the partial order that they leave.

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

from foretree.gradual import Pieces, at_once, heavy
from foretree.planning.pddl.derivation import Derivation
from foretree.planning.semantics import (
    GroundAction,
    Objects,
    Oracle,
    evaluate,
    fired,
    negate,
    state_oracle,
    witness,
)
from foretree.planning.syntax import TRUE, And, Formula, Literal
from foretree.world_model.facts import Atom, Truth

#: The producer of what holds before the first step.
WORLD = -1

#: So many literals are one piece of work.
_AT_A_TIME = 20


@dataclass(frozen=True, slots=True)
class Link:
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

    def products(self, step: int) -> frozenset[Literal]:
        """What later steps or the goal need from *step*."""
        return frozenset(link.literal for link in self.links if link.producer == step)


def named(links: Iterable[Link], ids: Sequence[str]) -> Pieces[tuple[tuple[str, Literal, str], ...]]:
    """*links* with the steps' ids in place of their indices, ``world`` and ``goal`` at the ends."""
    names = {WORLD: "world", len(ids): "goal", **dict(enumerate(ids))}
    found: list[tuple[str, Literal, str]] = []
    for number, link in enumerate(links):
        if number % _AT_A_TIME == 0:
            yield
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
    return at_once(analysing(actions, state, goal, objects, derivation))


def analysing(
    actions: Sequence[GroundAction],
    state: Iterable[Atom],
    goal: Formula,
    objects: Objects,
    derivation: Derivation | None = None,
) -> Pieces[Causality]:
    """:func:`analyse`, in pieces: one for each action."""
    current = set(state)
    oracle = state_oracle(current)
    threads: dict[Literal, _Thread] = {}
    order: list[set[int]] = [set() for _ in range(len(actions) + 1)]
    links: list[Link] = []
    needs: list[frozenset[Literal]] = []
    makes: list[tuple[Literal, ...]] = []

    def derive() -> None:
        if derivation is not None:
            closed = derivation.close(frozenset(current))
            current.clear()
            current.update(closed)

    def thread_of(literal: Literal) -> _Thread:
        thread = threads.get(literal)
        if thread is None:
            thread = threads[literal] = _Thread()
        return thread

    def consume(step: int, literals: frozenset[Literal]) -> Pieces[None]:
        if derivation is not None:
            literals = frozenset(
                reason
                for literal in literals
                for reason in (
                    derivation.reasons(literal.atom, current)
                    if derivation.is_derived(literal.atom)
                    else (literal,)
                )
            )
        needs.append(literals)
        for number, literal in enumerate(sorted(literals, key=_literal_key), 1):
            if number % _AT_A_TIME == 0:  # a goal may be as long as the plan
                yield
            thread = thread_of(literal)
            links.append(Link(thread.producer, step, literal))
            if thread.producer != WORLD:
                order[step].add(thread.producer)
                order[thread.producer].update(thread.destroyers_before)
            thread.consumers.append(step)

    derive()
    for step, action in enumerate(actions):
        yield
        try:
            wanted = _reasons(action, current, oracle, objects)
        except ValueError:
            raise BrokenPlanError(step) from None
        yield from consume(step, wanted)
        made = fired(action, oracle, objects)
        makes.append(made)
        for literal in made:
            # Whoever still relies on the opposite must be through before this step destroys it.
            opposite = thread_of(~literal)
            order[step].update(opposite.consumers or opposite.consumers_before)
            opposite.destroyers.append(step)
            if (literal.atom in current) == literal.positive:
                continue
            threads[literal] = thread_of(literal).renewed_by(step)
        for literal in made:
            if literal.positive:
                current.add(literal.atom)
            else:
                current.discard(literal.atom)
        derive()
    yield from heavy(len(actions) // 40)
    try:
        wanted = _witness(goal, current, oracle, objects)
    except ValueError:
        raise BrokenPlanError(len(actions)) from None
    yield from heavy(len(wanted) // 25)
    yield from consume(len(actions), wanted)
    order.pop()
    orders: list[frozenset[int]] = []
    for step, before in enumerate(order):
        if step % _AT_A_TIME == 0:
            yield
        before.discard(step)
        orders.append(frozenset(before))
    return Causality(tuple(links), tuple(orders), tuple(needs), tuple(makes))


class _Thread:
    """The life of one literal along the plan: who made it true last, who has used it since.

    A thread that nobody used orders nothing by itself: its producer may float. So what came before it stays
    relevant, and is carried over: earlier destroyers must not slip in behind the producer once somebody does
    use it, and later destroyers must not slip in front of earlier users.
    """

    __slots__ = ("consumers", "consumers_before", "destroyers", "destroyers_before", "producer")

    def __init__(
        self,
        producer: int = WORLD,
        destroyers_before: tuple[int, ...] = (),
        consumers_before: tuple[int, ...] = (),
    ) -> None:
        self.producer = producer
        self.destroyers_before = destroyers_before
        self.consumers_before = consumers_before
        self.consumers: list[int] = []
        self.destroyers: list[int] = []

    def renewed_by(self, step: int) -> _Thread:
        earlier = () if self.consumers else self.destroyers_before
        destroyers = earlier + tuple([d for d in self.destroyers if d != step])
        return _Thread(step, destroyers, tuple(self.consumers) or self.consumers_before)


def _reasons(
    action: GroundAction, current: Container[Atom], oracle: Oracle, objects: Objects
) -> frozenset[Literal]:
    """Literals under which *action* is applicable and its conditional effects turn out as they do now."""
    reasons = _witness(action.precondition, current, oracle, objects)
    for effect in action.effects:
        if effect.condition is TRUE or effect.condition == TRUE:
            continue
        holds = evaluate(effect.condition, oracle, objects) is Truth.TRUE
        condition = effect.condition if holds else negate(effect.condition)
        reasons |= _witness(condition, current, oracle, objects)
    return reasons


def _witness(
    formula: Formula, current: Container[Atom], oracle: Oracle, objects: Objects
) -> frozenset[Literal]:
    parts = formula.parts if isinstance(formula, And) else (formula,)
    literals = [part for part in parts if isinstance(part, Literal)]
    simple = len(literals) == len(parts)
    found = frozenset(literals) if simple else witness(formula, oracle, objects)
    for literal in found:
        if (literal.atom in current) != literal.positive:
            raise ValueError
    return found


def _literal_key(literal: Literal) -> tuple[Atom, bool]:
    return (literal.atom, literal.positive)
