import json

from hypothesis import given, settings
from hypothesis import strategies as st
from mango_run import mango_events

from foretree.runs.events import Event, Tape
from foretree.runs.recorded_parts import phrase
from foretree.runs.views.run_state import RunState, replay, replay_ticks

STATUSES = ("SUCCESS", "FAILURE", "RUNNING", "INVALID")


class Reference:
    """A tree that is edited at random, tells a recorder what happens to it, and remembers each tick."""

    def __init__(self, tape, draw):
        self.tape, self.draw, self.counter = tape, draw, 0
        self.nodes = {"agent": ("agent", "Sequence", None)}
        self.children = {"agent": []}
        self.status = {"agent": ("INVALID", "")}
        self.history = {}

    def view(self):
        order = []

        def visit(name, depth):
            order.append((depth, name, *self.nodes[name], *self.status[name]))
            for child in self.children[name]:
                visit(child, depth + 1)

        visit("agent", 0)
        return order

    def grow(self, below):
        """A new subtree of one to three nodes below *below*, parents first."""
        made = []
        parent = below
        for _ in range(self.draw(st.integers(1, 3))):
            self.counter += 1
            name = f"{parent}/n{self.counter}"
            self.nodes[name] = (f"n{self.counter}", "Act", parent)
            self.children[name] = []
            self.status[name] = ("INVALID", "")
            self.children[parent].append(name)
            made.append(name)
            parent = self.draw(st.sampled_from([below, *made]))
        return made

    def cut(self, name):
        for child in list(self.children[name]):
            self.cut(child)
        del self.nodes[name], self.children[name], self.status[name]

    def raw(self, name):
        text, type_, parent = self.nodes[name]
        return {"id": name, "name": text, "type": type_, "parent": parent}

    def splice(self):
        below = self.draw(st.sampled_from(sorted(self.nodes)))
        removed = [name for name in self.children[below] if self.draw(st.booleans())]
        for name in removed:
            self.children[below].remove(name)
            self.cut(name)
        added = self.grow(below) if self.draw(st.booleans()) else []
        self.children[below] = self.draw(st.permutations(self.children[below]))
        self.tape.record(
            "tree.spliced",
            below=below,
            removed=removed,
            added=[self.raw(name) for name in added],
            order=list(self.children[below]),
        )

    def change(self):
        names = self.draw(st.lists(st.sampled_from(sorted(self.nodes)), max_size=4, unique=True))
        for name in names:
            self.status[name] = (
                self.draw(st.sampled_from(STATUSES)),
                self.draw(st.sampled_from(["", "why"])),
            )
        self.tape.record("tree.changed", status={name: list(self.status[name]) for name in names})

    def run(self, ticks):
        self.grow("agent")
        self.tape.mark(1, 0.05)
        self.tape.record("tree.built", nodes=[self.raw(row[1]) for row in self.view()])
        self.history[1] = self.view()
        for tick in range(2, ticks + 2):
            self.tape.mark(tick, tick * 0.05)
            for step in self.draw(
                st.lists(st.sampled_from([self.splice, self.change]), min_size=1, max_size=3)
            ):
                step()
            self.history[tick] = self.view()


def seen(state: RunState):
    return [
        (depth, node.id, node.name, node.type, node.parent, node.status, node.message)
        for depth, node in state.walk()
    ]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_replay_reproduces_the_tree_tick_by_tick(data):
    tape = Tape()
    reference = Reference(tape, data.draw)
    reference.run(data.draw(st.integers(1, 12)))
    # As it comes from a file, not as it was handed in.
    events = [event._replace(data=json.loads(json.dumps(event.data))) for event in tape.events]
    for tick, expected in reference.history.items():
        assert seen(replay(events, tick)) == expected
    stepped = {state.tick: seen(state) for _, state in replay_ticks(events)}
    assert stepped == reference.history
    final = replay(events)
    assert len(final.nodes) == len(reference.nodes)
    assert final.statuses() == reference.status


def test_the_story_of_the_mango():
    state = replay(mango_events())
    assert state.instruction == "put the mango into the fridge"
    assert state.goal == "(in mango1 fridge1)"
    assert state.plan == ["a1", "b1", "b2", "b3", "a4", "a5"]
    assert {name: action.status for name, action in state.actions.items()} == {
        "a1": "done",
        "a2": "dropped",
        "a3": "dropped",
        "a4": "skipped",
        "a5": "done",
        "b1": "done",
        "b2": "done",
        "b3": "done",
    }
    assert [state.actions[name].ordinal for name in ("a1", "b1", "b2", "b3", "a5", "a4")] == [
        1,
        2,
        3,
        4,
        5,
        None,
    ]
    assert state.actions["a4"].reason == "fridge1 is open already"
    assert state.actions["a1"].execution == "e1"
    assert (state.actions["a1"].started, state.actions["a1"].ended) == (0.05, 2.0)
    assert state.facts["on", "mango1", "table1"].truth == "false"
    assert state.facts["on", "mango1", "table2"].confidence == 0.9
    assert state.entities["mango1"]["class"] == "mango"
    assert [note.sentence for note in state.discrepancies] == [
        "the mango is not on table1; it was seen on table2"
    ]
    assert [(note.reviser, note.removed) for note in state.revisions] == [("planner", ("a2", "a3"))]
    assert [note.reviser for note in state.rejections] == ["rules"]
    assert state.outcome == "reached"
    assert state.running() == []


def test_the_middle_of_the_story():
    events = mango_events()
    before = replay(events, 45)
    assert [str(action) for action in before.running()] == []
    assert before.looking == {"e2": "table1"}
    assert before.plan == ["a1", "a2", "a3", "a4", "a5"]
    waiting = replay(events, 46)
    assert waiting.asking == "planner"
    assert waiting.looking == {}
    moving = replay(events, 49)
    assert [action.id for action in moving.running()] == ["b1"]
    assert moving.asking == ""


def state_of(*made):
    state = RunState()
    for number, (kind, data) in enumerate(made, start=1):
        state.apply(Event(number, 1, 0.05, kind, data))
    return state


def act(name):
    return {"id": name, "skill": "go", "arguments": [name], "cost": 1}


def test_a_new_plan_keeps_what_is_finished_and_drops_the_rest():
    state = state_of(
        ("plan.made", {"actions": [act("a1"), act("a2"), act("a3")]}),
        ("action.intent", {"action": act("a1"), "execution": "e1"}),
        ("action.ended", {"action": "a1", "outcome": "done"}),
        ("plan.made", {"actions": [act("a3"), act("b1")]}),
    )
    assert state.plan == ["a1", "a3", "b1"]
    assert state.actions["a2"].status == "dropped"
    assert state.actions["a3"].status == "planned"


def test_a_revision_that_says_its_sequence_is_believed():
    state = state_of(
        ("plan.made", {"actions": [act("a1"), act("a2")]}),
        (
            "revision.made",
            {"kept": ["a1", "a2"], "added": [act("b1")], "removed": [], "sequence": ["a1", "b1", "a2"]},
        ),
    )
    assert state.plan == ["a1", "b1", "a2"]


def test_an_action_in_flight_that_is_taken_out_keeps_its_own_end():
    state = state_of(
        ("plan.made", {"actions": [act("a1")]}),
        ("action.intent", {"action": act("a1"), "execution": "e1"}),
        ("action.started", {"action": "a1", "execution": "e1"}),
        ("revision.made", {"kept": [], "added": [], "removed": ["a1"], "in_flight": {"a1": "cancel"}}),
    )
    assert state.actions["a1"].status == "running"
    state.apply(
        Event(9, 2, 0.1, "action.ended", {"action": "a1", "outcome": "cancelled", "reason": "revised"})
    )
    assert (state.actions["a1"].status, state.actions["a1"].reason) == ("cancelled", "revised")


def test_what_a_newer_version_adds_does_no_harm():
    state = state_of(("something.new", {"x": 1}), ("tree.changed", {"status": {"nobody": ["SUCCESS", ""]}}))
    assert state.seq == 2
    assert state.nodes == {}


def test_a_new_tick_means_that_a_pause_is_over():
    state = state_of(("session.paused", {"by": "me"}))
    assert state.paused
    state.apply(Event(2, 2, 0.1, "log", {"text": "on"}))
    assert not state.paused


def test_a_new_plan_keeps_what_the_robot_is_still_doing():
    state = state_of(
        ("plan.made", {"actions": [act("a1"), act("a2")]}),
        ("action.intent", {"action": act("a1"), "execution": "e1"}),
        ("action.started", {"action": "a1", "execution": "e1"}),
        ("plan.made", {"actions": [act("b1")]}),
    )
    assert state.plan == ["a1", "b1"]
    assert [action.id for action in state.running()] == ["a1"]


def test_pause_and_resume_and_overruns_and_faults():
    state = state_of(
        ("session.paused", {"by": "me"}),
        ("session.overrun", {"seconds": 1}),
        ("fault.injected", {"what": "x"}),
    )
    assert (state.paused, state.overruns, state.faults) == (True, 1, ["x"])
    state.apply(Event(4, 1, 0.1, "session.resumed", {}))
    assert not state.paused


def test_phrases():
    assert phrase("as it is") == "as it is"
    assert phrase(["table1", "table2"]) == "table1, table2"
    assert phrase([["on", "a", "b"], ["open", "c"]]) == "(on a b), (open c)"
    assert phrase(None) == ""
    assert phrase(3) == "3"
