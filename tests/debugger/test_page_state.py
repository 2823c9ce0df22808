"""The front-end adds events up as :mod:`foretree.runs.views.run_state` does, at every moment of a run."""

import pytest
from viewers import recorded

from foretree.debugger.page import write_page
from foretree.runs.reader import events
from foretree.runs.views.run_state import RunState

#: The state of the page after so many events, in the form of :func:`told`.
STATE = """count => {
  const state = foretree.views[0].timeline.state(count);
  return {
    tick: state.tick, goal: state.goal, root: state.root, plan: state.plan, asking: state.asking,
    paused: state.paused,
    nodes: Object.fromEntries([...state.nodes.values()].map(
      n => [n.id, [n.name, n.type, n.parent, [...n.children], n.status, n.message]])),
    actions: Object.fromEntries([...state.actions.values()].map(
      a => [a.id, [a.skill, [...a.arguments], a.cost, a.status, a.reason, a.ordinal, a.started, a.ended]])),
    order: Object.fromEntries([...state.order].map(([id, before]) => [id, [...before]])),
    facts: Object.fromEntries([...state.facts].map(([id, f]) => [id, [f.truth, f.confidence, f.source]])),
    entities: [...state.entities.keys()],
    looking: Object.fromEntries(state.looking),
  };
}"""


def told(state: RunState) -> dict:
    return {
        "tick": state.tick,
        "goal": state.goal,
        "root": state.root,
        "plan": state.plan,
        "asking": state.asking,
        "paused": state.paused,
        "nodes": {
            n.id: [n.name, n.type, n.parent, n.children, n.status, n.message] for n in state.nodes.values()
        },
        "actions": {
            a.id: [a.skill, list(a.arguments), a.cost, a.status, a.reason, a.ordinal, a.started, a.ended]
            for a in state.actions.values()
        },
        "order": {name: list(before) for name, before in state.order.items()},
        "facts": {
            " ".join(atom): [fact.truth, fact.confidence, fact.source] for atom, fact in state.facts.items()
        },
        "entities": list(state.entities),
        "looking": state.looking,
    }


@pytest.mark.parametrize(
    ("instruction", "scene", "faults"),
    [
        ("put the mango into the fridge", "kitchen", ["after 1: move mango1 table2"]),
        ("put all mugs on table2", "kitchen", ["after 2: remove mug1", "after 1: fail next pick"]),
        ("bring me the apple", "flat", ["after 1: close kitchen_door", "at 9: disconnect for 3"]),
        ("bring me a newspaper and the apple", "kitchen", []),
    ],
)
def test_the_page_adds_events_up_as_the_record_does(store, tmp_path, tab, instruction, scene, faults):
    run = recorded(store, instruction, scene, *faults)
    write_page([run], tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    tab.wait_for_function("foretree.views[0].loaded")
    state = RunState()
    everything = list(events(run))
    for count, event in enumerate(everything, 1):
        state.apply(event)
        if count % 3 == 0 or count == len(everything):
            assert tab.evaluate(STATE, count) == told(state), f"after event {count}, {event.kind}"
    # Back again: a moment does not depend on the way to it.
    back = len(everything) // 2
    state = RunState()
    for event in everything[:back]:
        state.apply(event)
    assert tab.evaluate(STATE, back) == told(state)
