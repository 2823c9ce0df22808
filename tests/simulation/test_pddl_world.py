from __future__ import annotations

import pytest

from foretree.clock import SimulatedClock
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import And, Domain, Effect, Literal, Operator, Problem, Typed
from foretree.simulation.faults.fault_script import FaultError, FaultRates
from foretree.simulation.pddl_world.world import PddlWorld
from foretree.skills.robot import LookRequest, Order, Outcome, Robot, RobotError

X, Y = Typed("?x", "block"), Typed("?y", "block")
STACK = Operator(
    "stack",
    (X, Y),
    And((Literal(("clear", "?x")), Literal(("clear", "?y")), Literal(("on_table", "?x")))),
    (
        Effect(Literal(("on", "?x", "?y"))),
        Effect(Literal(("clear", "?y"), False)),
        Effect(Literal(("on_table", "?x"), False)),
    ),
)
DOMAIN = Domain(
    "blocks",
    types={"block": "object"},
    predicates={"on": (X, Y), "clear": (X,), "on_table": (X,)},
    operators={"stack": STACK},
)
INIT = frozenset((p, b) for p in ("clear", "on_table") for b in "abc")
PROBLEM = Problem("p", DOMAIN, dict.fromkeys("abc", "block"), INIT, Literal(("on", "a", "b")))


class Blocks:
    def __init__(self, **options):
        self.clock = SimulatedClock()
        self.world = PddlWorld(PROBLEM, self.clock, **options)
        self.robot: Robot = self.world.robot
        self._count = 0

    def start(self, *arguments, skill="stack"):
        self._count += 1
        return self.robot.start(Order(skill, parameters={"arguments": list(arguments)}), f"x{self._count}")

    def wait(self, seconds):
        self.clock.sleep_until(self.clock.now() + seconds)

    def do(self, *arguments):
        execution = self.start(*arguments)
        self.wait(1.0)
        return execution.poll()


def test_an_action_has_its_effects_when_it_ends():
    b = Blocks()
    execution = b.start("a", "b")
    b.wait(0.9)
    assert execution.poll() is None
    assert not b.world.holds(PROBLEM.goal)
    b.wait(0.1)
    assert execution.poll().outcome is Outcome.DONE
    assert b.world.holds(PROBLEM.goal)
    assert b.world.state == INIT - {("clear", "b"), ("on_table", "a")} | {("on", "a", "b")}


def test_what_is_not_applicable_is_refused():
    b = Blocks()
    b.robot.observations()
    b.do("a", "b")
    end = b.do("a", "c")
    assert (end.outcome, end.reason) == (Outcome.FAILED, "refused: (stack a c) needs (on_table a)")
    b.robot.observations()
    b.do("c", "b")
    assert [(i.skill, i.rule, i.in_view) for i in b.world.illegal] == [
        ("stack", "(on_table a)", False),
        ("stack", "(clear b)", True),
    ]


def test_observations_carry_what_changed():
    b = Blocks()
    [first] = b.robot.observations()
    assert first.body == dict.fromkeys(INIT, True)
    assert b.robot.observations() == []
    b.do("a", "b")
    [second] = b.robot.observations()
    assert second.body == {("on", "a", "b"): True, ("clear", "b"): False, ("on_table", "a"): False}
    look = b.robot.look(LookRequest(), "look")
    b.wait(0.5)
    assert look.poll().outcome is Outcome.DONE
    [third] = b.robot.observations()
    # A look also denies what it once said: somebody may still take it for true.
    denied = {("clear", "b"): False, ("on_table", "a"): False}
    assert (third.source, third.body) == ("look", {**dict.fromkeys(b.world.state, True), **denied})


def test_what_a_robot_may_have_lied_about_is_reported_again():
    b = Blocks(faults=["after 0: silent next stack"])
    b.robot.observations()
    assert b.do("a", "b").outcome is Outcome.DONE
    [observation] = b.robot.observations()
    assert observation.body == {("on", "a", "b"): False, ("clear", "b"): True, ("on_table", "a"): True}
    assert b.robot.observations() == []


def test_somebody_sets_and_clears_atoms():
    b = Blocks(faults=["after 0: clear (clear c)", "at 3: set (on b c)"])
    assert "refused" in b.do("a", "c").reason
    b.wait(2)
    b.world.advance()
    assert ("on", "b", "c") in b.world.state
    assert [fault.what for fault in b.world.injected] == ["after 0: clear (clear c)", "at 3: set (on b c)"]


def test_what_somebody_spoils_during_an_action_makes_it_fail():
    b = Blocks(faults=["during 1: clear (clear b)"])
    assert b.do("a", "b").reason.startswith("interrupted")
    assert b.world.illegal == []


@pytest.mark.parametrize(
    ("manner", "outcome", "changed"),
    [("fail", Outcome.FAILED, 0), ("silent", Outcome.DONE, 0), ("half", Outcome.DONE, 1)],
)
def test_the_robot_has_its_trouble(manner, outcome, changed):
    b = Blocks(faults=[f"after 0: {manner} next stack"])
    assert b.do("a", "b").outcome is outcome
    assert len(b.world.state ^ INIT) == changed


def test_trouble_comes_by_chance():
    def run(seed):
        b = Blocks(rates=FaultRates(fail=0.5, move=0.5), seed=seed)
        return [b.do("a", "b").outcome.value, b.do("b", "c").outcome.value, b.do("c", "a").outcome.value]

    assert run(1) == run(1)
    assert len({tuple(run(seed)) for seed in range(8)}) > 1


def test_a_lost_connection_loses_nothing_of_the_state():
    b = Blocks(faults=["at 0.5: disconnect for 1"])
    b.robot.observations()
    execution = b.start("a", "b")
    b.wait(1.2)
    assert (execution.poll(), b.robot.observations()) == (None, [])
    b.wait(0.5)
    assert execution.poll().outcome is Outcome.DONE
    [observation] = b.robot.observations()
    assert observation.body[("on", "a", "b")]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("after 0: move a b", r"nothing that can happen\. Valid: set \(ATOM\); clear"),
        ("after 0: set on a b", r"nothing that can happen"),
        ("after 0: set (onn a b)", r"no predicate 'onn'\. Did you mean on"),
        ("after 0: set (on a)", r"on takes 2 arguments, not 1"),
        ("after 0: set (on a z)", r"no block 'z'\. Valid: a, b, c"),
        ("after 0: fail next stak", r"no skill 'stak'\. Did you mean stack"),
    ],
)
def test_a_mistake_in_a_script_is_explained(line, says):
    with pytest.raises(FaultError, match=says):
        Blocks(faults=[line])


def test_an_order_must_make_sense():
    b = Blocks()
    with pytest.raises(RobotError, match=r"no action 'stak'\. Did you mean stack"):
        b.start("a", "b", skill="stak")
    with pytest.raises(RobotError, match="takes 2 arguments, not 1"):
        b.start("a")
    with pytest.raises(RobotError, match="no object z"):
        b.start("a", "z")


def test_what_is_derived_follows_from_what_is_done_and_from_what_happens():
    domain = parse_domain(
        """(define (domain d) (:types node) (:predicates (edge ?x ?y - node) (reach ?x ?y - node) (lamp))
             (:derived (reach ?x ?y - node)
               (or (edge ?x ?y) (exists (?z - node) (and (edge ?x ?z) (reach ?z ?y)))))
             (:action join :parameters (?x ?y - node) :effect (edge ?x ?y))
             (:action light :parameters (?x ?y - node) :precondition (reach ?x ?y) :effect (lamp)))"""
    )
    text = "(define (problem p) (:domain d) (:objects a b c - node) (:init (edge a b)) (:goal (lamp)))"
    clock = SimulatedClock()
    world = PddlWorld(parse_problem(text, domain), clock, faults=["at 2: clear (edge a b)"])
    assert ("reach", "a", "b") in world.state
    for number, (skill, x, y, outcome) in enumerate(
        [("light", "a", "c", "failed"), ("join", "b", "c", "done"), ("light", "a", "c", "failed")]
    ):
        order = Order(skill, parameters={"arguments": [x, y]})
        execution = world.robot.start(order, f"x{number}")
        clock.sleep_until(clock.now() + 1.0)
        assert execution.poll().outcome.name.lower() == outcome
        seen = {atom: value for o in world.observations() for atom, value in o.body.items()}
        if skill == "join":
            assert seen[("reach", "b", "c")]
    assert world.state == {("edge", "b", "c"), ("reach", "b", "c")}
