"""A robot of one's own in a scene: what it believes before it has seen anything."""

from foretree import Options, Wish, embedded_context, open_robot, robot_context
from foretree.clock import SimulatedClock
from foretree.skills.robot import End, Outcome
from foretree.world_model.beliefs.facts import Truth


class Obedient:
    """Says that everything is done."""

    name = "obedient"
    hands = ("gripper",)

    def __init__(self):
        self.orders = []

    def start(self, order, execution_id):
        self.orders.append(order.skill)
        return Done(execution_id)

    def look(self, request, execution_id):
        return Done(execution_id)

    def observations(self):
        return []

    def attach(self, execution_id):
        return Done(execution_id)

    def stop(self):
        pass


class Done:
    def __init__(self, execution_id):
        self.id = execution_id

    def poll(self):
        return End(Outcome.DONE)

    def cancel(self):
        pass


def test_belief_and_map_are_those_of_the_scene_but_for_the_robot():
    told, _ = embedded_context("kitchen")
    mine = robot_context(Obedient(), "kitchen", clock=SimulatedClock())
    robot = told.robot

    def others(context, *names):
        atoms = context.belief.snapshot().true_atoms()
        return {atom for atom in atoms if not set(names) & set(atom)}

    assert others(mine, "obedient", "gripper") == others(told, robot.name, *robot.hands)
    assert list(mine.places.places()) == list(told.places.places())
    beliefs = mine.belief.snapshot()
    assert beliefs.truth(("rob_has_hand", "obedient", "gripper")) is Truth.TRUE
    assert beliefs.truth(("hand_free", "obedient", "gripper")) is Truth.TRUE


def test_time_is_real_unless_another_clock_is_given():
    assert not robot_context(Obedient(), "kitchen").clock.simulated


def test_the_whole_agent_takes_it_to_a_goal():
    robot = Obedient()
    options = Options(overrides={"guards": "none"})
    wish = Wish(goal="(on mango1 table2)")
    session = open_robot(robot, "kitchen", wish, options, clock=SimulatedClock())
    assert session.run().outcome == "reached"
    assert robot.orders[-1] == "place_on"
