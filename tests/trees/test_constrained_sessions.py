"""Whole sessions that keep constraints on the way, with something going wrong."""

from __future__ import annotations

import random

import pytest
from courses import Course

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.request import Request
from foretree.bringup.resume import reopen_events
from foretree.clock import SimulatedClock
from foretree.planning.constraints.constraints import AtMostOnce, InOrder, show_constraint
from foretree.planning.constraints.reader import parse_constraint
from foretree.planning.pddl.syntax import Problem
from foretree.planning.semantics.actions import apply, instantiate
from foretree.runs.events import Tape

INTO_THE_FRIDGE = "(in mango1 fridge1)"
SHUT_FRIDGE = "(always (not (open fridge1)))"
NO_DOORS = "(always (forall (?place - asset) (not (open ?place))))"


def carry_out(goal: str, constraints: list[str], *faults: str, scene: str = "kitchen", **settings: str):
    tape = Tape()
    options = Options(overrides=settings, faults=faults)
    wish = Wish(goal=goal, constraints=tuple(constraints))
    session, world = open_household(scene, wish, options, recorder=tape)
    result = session.run()
    return result, tape, world.holds(session.mission.goal)


def started(tape: Tape) -> list[tuple[str, ...]]:
    found = (event.data["action"] for event in tape.of("action.intent"))
    return [(action["skill"], *action["arguments"]) for action in found]


def opened(tape: Tape) -> set[str]:
    return {action[-1] for action in started(tape) if action[0] == "open"}


def test_what_comes_first_is_done_first():
    first = "(sometime-before (open fridge1) (rob_at_node robot1 sink1))"
    result, tape, holds = carry_out(INTO_THE_FRIDGE, [first])
    assert result.reached
    assert holds
    places = [action[-1] for action in started(tape) if action[0] == "move"]
    assert places.index("sink1") < places.index("fridge1")


def test_the_steps_of_a_sequence_are_done_although_nothing_is_left_of_them():
    steps = "(sequence (open cupboard1) (not (open cupboard1)))"
    result, tape, holds = carry_out(INTO_THE_FRIDGE, [steps])
    assert result.reached
    assert holds
    assert [action[0] for action in started(tape) if action[-1] == "cupboard1"] == ["move", "open", "close"]


def test_the_goal_alone_does_not_end_a_sequence():
    result, tape, _ = carry_out("(and)", ["(sometime (clean mug1))"])
    assert result.reached
    assert "wash" in {action[0] for action in started(tape)}


@pytest.mark.parametrize("revisers", ["rules", "planner", "rules,planner"])
def test_no_reviser_opens_what_is_to_stay_shut(revisers):
    shut = "during 3: move mango1 in fridge1"
    result, tape, _ = carry_out("(on mango1 table2)", [SHUT_FRIDGE], shut, revisers=revisers)
    assert result.outcome == "given-up"
    assert "fridge1" not in opened(tape)


def test_a_search_goes_on_where_the_constraints_let_it():
    moved = "after 1: move mango1 in cupboard1"
    result, tape, holds = carry_out("(on mango1 table2)", ["(never-use open fridge1)"], moved)
    assert result.reached
    assert holds
    assert opened(tape) == {"cupboard1"}


def test_a_search_in_vain_says_what_it_was_kept_from():
    result, tape, _ = carry_out("(on mango1 table2)", [NO_DOORS], "after 1: move mango1 in cupboard1")
    assert result.outcome == "given-up"
    assert opened(tape) == set()
    assert f"Not searched, to keep {NO_DOORS}: " in result.reason
    assert "cupboard1" in result.reason


def test_a_goal_out_of_reach_names_the_constraint_and_what_is_possible_without():
    result, tape, _ = carry_out(INTO_THE_FRIDGE, ["(never-use * mug1)", SHUT_FRIDGE])
    assert result.outcome == "given-up"
    assert started(tape) == []
    assert (
        f"There is no plan that keeps {SHUT_FRIDGE}; without that, there would be one (5 actions"
        in result.reason
    )


def test_a_fault_that_undoes_the_first_has_it_done_again():
    first = "(sometime-before (in mango1 fridge1) (clean mug1))"
    result, tape, holds = carry_out(INTO_THE_FRIDGE, [first], "after 5: dirty mug1")
    assert result.reached
    assert holds
    skills = [action[0] for action in started(tape)]
    assert skills.index("wash") < skills.index("place_in", skills.index("wash"))


class Judge:
    """Watches the actions of a session, and checks each against the constraints as it is started."""

    def __init__(self, session) -> None:
        context = session.context
        self.session = session
        self.constraints = [
            c for c in session.mission.constraints if not isinstance(c, (InOrder, AtMostOnce))
        ]
        domain = context.catalogue.domain
        objects = {name: entity.best_class for name, entity in context.belief.entities().items()}
        self.problem = Problem("watched", domain, objects, frozenset(), session.mission.goal)
        self.course = Course(self.problem, self.constraints)
        self.memory = (0,) * len(self.constraints)
        self.broken: list[str] = []
        context.permission = self.watch

    def watch(self, action) -> bool:
        task = self.session.context.task
        state = task.state(self.session.context.belief.snapshot())
        self.memory = self.course.memory(self.memory, state)
        ground = instantiate(
            self.problem.domain.operators[action.skill], action.arguments, self.course.objects, task.functions
        )
        if not self.course.allows(state, self.memory, ground, apply(ground, state, self.course.objects)):
            self.broken.append(f"{action} at {self.session.ticks}")
        return True

    def run(self):
        while self.session.result is None:
            self.session.step()
            state = self.session.context.task.state(self.session.context.belief.snapshot())
            self.memory = self.course.memory(self.memory, state)
        return self.session.result


FURNITURE = ["fridge1", "cupboard1", "drawer1", "microwave1", "table2", "sink1"]
ITEMS = ["mango1", "mug1", "plate1"]
GOALS = [
    INTO_THE_FRIDGE,
    "(in mug1 cupboard1)",
    "(and (clean mug1) (on mug1 table2))",
    "(and (in mug2 drawer1) (not (open drawer1)))",
    "(and (on mug2 table1) (on plate1 counter1))",
]


def some_constraint(rng: random.Random) -> str:
    place, other = rng.sample(FURNITURE, 2)
    item = rng.choice(ITEMS)
    return rng.choice(
        [
            f"(always (not (open {place})))",
            f"(never-use * {place})",
            f"(never-use pick {item})",
            f"(sometime-before (open {place}) (rob_at_node robot1 {other}))",
            f"(sometime-before (rob_at_node robot1 {place}) (holding robot1 left_hand {item}))",
            f"(always (or (not (open {place})) (hand_free robot1 right_hand)))",
            f"(always (not (and (open {place}) (open {other}))))",
            f"(always (forall (?i - item) (not (on ?i {place}))))",
            f"(always (not (holding robot1 left_hand {item})))",
            f"(sometime-before (clean mug1) (open {place}))",
        ]
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_run_ever_starts_an_action_that_breaks_a_constraint(seed):
    rng = random.Random(seed)
    constraints = tuple(some_constraint(rng) for _ in range(rng.choice((1, 2))))
    faults = tuple(
        rng.choice(
            [
                f"after {when}: open {rng.choice(FURNITURE[:4])}",
                f"after {when}: close {rng.choice(FURNITURE[:4])}",
                f"during {when}: move {rng.choice(ITEMS)} in {rng.choice(FURNITURE[:3])}",
                f"after {when}: move {rng.choice(ITEMS)} on counter1",
            ]
        )
        for when in rng.sample(range(1, 6), 2)
    )
    goal = GOALS[seed % len(GOALS)]
    wish = Wish(goal=goal, constraints=constraints)
    session, _ = open_household("kitchen", wish, Options(faults=faults, seed=seed))
    judge = Judge(session)
    judge.run()
    assert judge.broken == [], (goal, constraints, faults)


def test_the_judge_sees_what_is_broken():
    session, _ = open_household("kitchen", Wish(goal=INTO_THE_FRIDGE), Options())
    session.mission.constraints = ()
    judge = Judge(session)
    judge.constraints += carried_over("(always (not (open fridge1)))", session)
    judge.memory = (0,)
    judge.run()
    assert len(judge.broken) == 1
    assert judge.broken[0].startswith("open(robot1")


def carried_over(text: str, session):
    context = session.context
    types = {name: entity.best_class for name, entity in context.belief.entities().items()}
    return parse_constraint(text, context.catalogue.domain, types)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_run_that_is_taken_up_keeps_its_constraints(share):
    constraints = ("(sometime-before (open fridge1) (rob_at_node robot1 sink1))", "(never-use * mug1)")
    wish = Wish(goal=INTO_THE_FRIDGE, constraints=constraints)
    tape = Tape()
    request = Request(wish, "kitchen", Options(faults=("during 3: move mango1 on table2",)))
    session, _ = request.open(tape, SimulatedClock())
    assert session.run().reached
    (goal_set,) = tape.of("goal.set")
    assert goal_set.data["constraints"] == list(constraints)
    events = tape.events[: int(share * len(tape.events))]
    after = Tape()
    after.events.extend(events)
    taken_up = reopen_events(events, after)
    assert tuple(map(show_constraint, taken_up.mission.constraints)) == constraints
    assert taken_up.run().reached
    moves = [action[-1] for action in started(after) if action[0] in ("move", "open")]
    assert moves.index("sink1") < moves.index("fridge1", moves.index("sink1"))
    assert "mug1" not in {name for action in started(after) for name in action}
