"""The agent's node, launched as a user does it, with the embedded robot."""

import json
import signal
from pathlib import Path

import pytest
from waiting import until

MANGO = '{"instruction": "put the mango into the fridge"}'
SUCCEEDED, CANCELED, ABORTED = 4, 5, 6
TRIGGER = "std_srvs/srv/Trigger"


class Agents:
    """Launched agents, and a client of them."""

    def __init__(self, start):
        self._start = start
        self._simulated = False
        self.client = start("python3", str(Path(__file__).parent / "agent_client.py"))

    def launch(self, *arguments, active=True, real_time=False):
        """Launch an agent, by default on a clock that is ten times as fast as real time."""
        if not (real_time or self._simulated):
            self._simulated = True
            self.client.say("clock 10")
        time = () if real_time else ("use_sim_time:=true",)
        agent = self._start("ros2", "launch", "foretree", "agent.launch.py", *time, *arguments)
        agent.until("accepts goals" if active else "process started")
        return agent

    def told(self, **wanted):
        """All that the client has heard that has these values."""
        lines = [json.loads(line) for line in self.client.out.splitlines() if line.startswith("{")]
        return [line for line in lines if all(line.get(key) == value for key, value in wanted.items())]

    def until(self, condition, what):
        until(condition, lambda: f"{what}; the client wrote:\n{self.client.out[-3000:]}")
        return condition()

    def result(self, goal):
        (told,) = self.until(
            lambda: [line for line in self.told(goal=goal) if "result" in line], f"end of {goal}"
        )
        return told["status"], told["result"]

    def goal(self, name, agent="/agent", fields=MANGO):
        self.client.say(f"goal {name} {agent} {fields}")
        return self.until(lambda: [line for line in self.told(goal=name) if "accepted" in line], name)[0][
            "accepted"
        ]

    def feedback(self, name, **wanted):
        """Wait for feedback with these values."""

        def found():
            said = [line["feedback"] for line in self.told(goal=name) if "feedback" in line]
            return [each for each in said if all(check(each[key]) for key, check in wanted.items())]

        return self.until(found, f"feedback of {name} with {sorted(wanted)}")[0]

    def call(self, service, kind=TRIGGER, fields="{}"):
        before = len(self.told(called=service))
        self.client.say(f"call {service} {kind} {fields}")
        return self.until(lambda: self.told(called=service)[before:], service)[0]

    def transition(self, transition, agent="/agent"):
        before = len(self.told(transition=transition))
        self.client.say(f"lifecycle {agent} {transition}")
        return self.until(lambda: self.told(transition=transition)[before:], transition)[0]["success"]


@pytest.fixture
def agents(start):
    return Agents(start)


def starts(words):
    return lambda text: text.startswith(words)


def test_a_goal_is_reached_and_the_launch_ends_in_order(agents):
    agent = agents.launch(real_time=True)
    assert agents.goal("one")
    agents.feedback("one", action=starts("pick("))
    status, result = agents.result("one")
    assert (status, result["outcome"]) == (SUCCEEDED, "reached")
    assert result["run"]
    assert agent.end() == 0
    assert "process has finished cleanly" in agent.out


def stopped_by_a_signal(agents, workspace):
    status, result = agents.result("one")
    assert (status, result["outcome"]) == (ABORTED, "cancelled")
    assert result["reason"].endswith("was received.")
    shown = workspace.run("python3", "-m", "foretree", "show", result["run"])
    assert "cancelled" in shown


def test_ctrl_c_stops_the_robot_first_and_the_client_gets_its_result(agents, workspace):
    agent = agents.launch(real_time=True)
    assert agents.goal("one")
    agents.feedback("one", action=starts("pick("))
    assert agent.end(signal.SIGINT) == 0
    assert "process has finished cleanly" in agent.out, agent.out
    stopped_by_a_signal(agents, workspace)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_program_does_the_same(agents, start, workspace, number):
    program = start(str(workspace.path / "install" / "foretree" / "lib" / "foretree" / "agent"))
    program.until("accepts goals")
    assert agents.goal("one")
    agents.feedback("one", action=starts("pick("))
    assert program.end(number) == 0
    stopped_by_a_signal(agents, workspace)


def test_two_agents_work_side_by_side(agents):
    agents.launch("namespace:=left")
    agents.launch("namespace:=right", "name:=helper")
    assert agents.goal("one", "/left/agent")
    assert agents.goal("two", "/right/helper", '{"goal": "(on mango1 table2)"}')
    assert agents.result("one")[1]["outcome"] == "reached"
    assert agents.result("two")[1]["outcome"] == "reached"


def test_it_is_steered_by_services(agents):
    agents.launch()
    assert not agents.call("/agent/pause")["success"]
    assert agents.goal("one")
    agents.feedback("one", action=starts("pick("))
    assert agents.call("/agent/pause")["success"]
    agents.feedback("one", status=starts("paused"))
    assert agents.call("/agent/step", "foretree_interfaces/srv/Step", '{"ticks": 2}')["success"]
    assert not agents.call("/agent/answer", "foretree_interfaces/srv/Answer", '{"answer": "yes"}')["success"]
    revised = '{"instruction": "put the mango onto table2"}'
    assert agents.call("/agent/revise", "foretree_interfaces/srv/Revise", revised)["success"]
    assert agents.call("/agent/resume")["success"]
    assert agents.result("one")[1]["outcome"] == "reached"
    assert agents.goal("two", fields='{"goal": "(on mango1 table2)"}')
    assert agents.result("two")[1]["outcome"] == "reached"
    assert not [line for line in agents.told(goal="two") if "pick(" in str(line)], "it was there already"


def test_a_person_takes_the_robot_over_and_gives_it_back(agents):
    agents.launch()
    assert agents.goal("one")
    agents.feedback("one", action=starts("pick("))
    assert agents.call("/agent/take_over")["success"]
    assert not agents.feedback("one", status=starts("handed-over"))["action"]
    assert agents.call("/agent/give_back")["success"]
    assert agents.result("one")[1]["outcome"] == "reached"


def test_what_a_second_goal_does_is_a_parameter(agents):
    agents.launch("namespace:=rejects")
    agents.launch("namespace:=queues", "second_goal:=queue")
    agents.launch("namespace:=preempts", "second_goal:=preempt")
    for name in ("rejects", "queues", "preempts"):
        assert agents.goal(f"{name}-one", f"/{name}/agent")
        agents.feedback(f"{name}-one", status=starts("working"))
        second = agents.goal(f"{name}-two", f"/{name}/agent", '{"goal": "(on mango1 table2)"}')
        assert second == (name != "rejects")
    status, result = agents.result("preempts-one")
    assert (status, result["outcome"]) == (ABORTED, "cancelled")
    assert "taken its place" in result["reason"]
    for goal in ("rejects-one", "queues-one", "queues-two", "preempts-two"):
        assert agents.result(goal)[1]["outcome"] == "reached"


def test_goals_are_cancelled_running_or_waiting(agents):
    agents.launch("second_goal:=queue")
    assert agents.goal("runs")
    assert agents.goal("waits")
    agents.feedback("runs", action=starts("pick("))
    agents.client.say("cancel waits")
    assert agents.result("waits")[0] == CANCELED
    agents.client.say("cancel runs")
    status, result = agents.result("runs")
    assert (status, result["outcome"]) == (CANCELED, "cancelled")


def test_bad_goals_are_rejected_or_end_with_the_reason(agents):
    agents.launch()
    assert not agents.goal("neither", fields="{}")
    assert not agents.goal("both", fields='{"instruction": "stop", "goal": "(on mango1 table1)"}')
    assert agents.goal("nonsense", fields='{"goal": "(on mango1"}')
    status, result = agents.result("nonsense")
    assert (status, result["outcome"]) == (ABORTED, "error")
    assert result["reason"]


def test_a_simulated_robot_over_ros(agents, start):
    simulation = start("ros2", "launch", "foretree", "simulation.launch.py", "speed:=3.0")
    simulation.until("The scene kitchen is there")
    agents.launch("robot:=simulated", real_time=True)
    assert agents.goal("one")
    assert agents.result("one")[1]["outcome"] == "reached"


def test_its_lifecycle(agents):
    agent = agents.launch("autostart:=false", active=False)
    assert agents.transition("configure")
    assert not agents.goal("early")
    assert agents.transition("activate")
    assert agents.goal("one")
    agents.feedback("one", action=starts("pick("))
    assert agents.transition("deactivate")
    status, result = agents.result("one")
    assert (status, result["outcome"]) == (ABORTED, "cancelled")
    assert "deactivated" in result["reason"]
    assert not agents.goal("late")
    assert agents.transition("cleanup")
    assert agents.transition("configure")
    assert agents.transition("activate")
    assert agents.goal("two")
    agents.feedback("two", action=starts("pick("))
    assert agents.transition("shutdown")
    assert agents.result("two")[1]["outcome"] == "cancelled"
    agent.until("process has finished cleanly")


def test_what_makes_no_sense_is_said_and_it_ends(agents):
    agent = agents.launch("scene:=nowhere", active=False)
    agent.until("There is no scene called")
    agent.until("process has died")
    agent = agents.launch("frames:=example", "frames_within:=0.5", active=False)
    agent.until("There is no transform from map to base_link")
    agent.until("process has died")


def test_a_signal_ends_it_though_the_simulation_stands_still(agents):
    agent = agents.launch("use_sim_time:=true", real_time=True)
    assert agents.goal("one")
    agents.feedback("one", status=starts("working"))
    agent.end()
    assert agents.result("one")[1]["outcome"] == "cancelled"
    assert "process has finished cleanly" in agent.out


def test_snapshots_show_the_tree_as_it_is_rewritten(agents):
    agents.launch("faults:=after 1: move mango1 table2")
    agents.client.say("streams /agent")
    agents.until(lambda: [line for line in agents.told() if "stream" in line], "a stream")
    assert agents.goal("one")
    revised = agents.feedback("one", revisions=lambda number: number > 0)
    assert "mango1" in revised["revision"]
    assert agents.result("one")[1]["outcome"] == "reached"

    def trees():
        return [line for line in agents.told(changed=True) if "tree" in line]

    agents.until(
        lambda: trees() and trees()[-1]["tree"][-1][:2] == ["manual control", 3], "the end of the tree"
    )
    for tree in trees():
        assert tree["children"] == len(tree["tree"]) - 1, "every node but the root has its place"
    names = [{node[0] for node in tree["tree"]} for tree in trees()]
    first = next(place for place, known in enumerate(names) if any("table1" in name for name in known))
    assert not any("pick" in name and "table2" in name for name in names[first])
    assert any("pick" in name and "table2" in name for known in names for name in known), names[-1]


def test_the_watcher_of_py_trees_shows_it(agents, start):
    agents.launch()
    watcher = start("py-trees-tree-watcher")
    assert agents.goal("one")
    watcher.until("manual control")
    watcher.until("pick")
    assert agents.result("one")[1]["outcome"] == "reached"
    watcher.end()
    assert agents.goal("two"), "a watcher that leaves does no harm"
    assert agents.result("two")[1]["outcome"] == "reached"


def test_diagnostics(agents):
    agents.client.say("diagnostics")
    agents.launch()
    agents.until(lambda: agents.told(report="agent: agent", message="no goal so far"), "a report")
    assert agents.goal("one")
    agents.until(lambda: agents.told(report="agent: agent", message="carries out a goal"), "a report of it")
    robot = agents.told(report="agent: robot")[-1]
    assert (robot["level"], robot["message"], robot["values"]) == (0, "in contact", {"robot1": "in contact"})
    rhythm = agents.told(report="agent: rhythm")[-1]
    assert rhythm["values"]["tick_hz"] == "10"
    assert agents.result("one")[1]["outcome"] == "reached"
    agents.until(lambda: agents.told(report="agent: agent", message="the last goal: reached"), "its end")


def test_parameters_come_from_a_file_and_arguments_count_more(agents, tmp_path):
    file = tmp_path / "agent.yaml"
    file.write_text(
        "/**:\n  ros__parameters:\n    second_goal: queue\n    tick_hz: 20.0\n    settings: [plans=first, looks=1]\n"
    )
    agents.client.say("diagnostics")
    agents.launch(f"params_file:={file}", "tick_hz:=25")
    assert agents.goal("one")
    assert agents.goal("two", fields='{"goal": "(on mango1 table2)"}'), "it queues"
    agents.until(
        lambda: [r for r in agents.told(report="agent: rhythm") if r["values"].get("tick_hz") == "25"],
        "25 Hz",
    )
    assert agents.result("two")[1]["outcome"] == "reached"
