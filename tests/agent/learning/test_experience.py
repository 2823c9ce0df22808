"""Experience: kept in a file, and used by plans and alternatives in later sessions."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from foretree.agent.dialogue.instruction_reader import InstructionReader, situation
from foretree.agent.learning.experience import Experience
from foretree.agent.mission import Mission
from foretree.bringup.embedded import open_household, plan_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import make_plan
from foretree.planning.plan import Action
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.runs.events import Silent
from foretree.world_model.affordances.evidence_file import Evidence, add_evidence, read_evidence
from foretree.world_model.affordances.mapping import Outcomes
from foretree.world_model.affordances.objects import Remark

FILLED = Wish(goal="(exists (?m - mug) (filled ?m))")
CUT = Action("a1", "cut", ("robot1", "left_hand", "knife1", "bread1", "counter1"), 3)


def context_of(path="", **overrides):
    settings = {"experience": str(path), "optimise": "success", **overrides}
    session, _ = open_household("kitchen", FILLED, Options(overrides=settings))
    return session.context


def test_nothing_is_kept_unless_a_setting_says_where(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    context = context_of()
    context.success.record(context.task.ground(CUT), succeeded=False)
    context.success.experience.keep(Silent())
    assert list(tmp_path.iterdir()) == []


def test_outcomes_outlast_a_session(tmp_path):
    path = tmp_path / "experience.json"
    context = context_of(path)
    fresh = context.success.of_operator("cut"), context.success.of_objects((("blade", "knife1"),))
    for _ in range(2):
        context.success.record(context.task.ground(CUT), succeeded=False)
    taught = context.success.of_operator("cut"), context.success.of_objects((("blade", "knife1"),))
    context.success.experience.keep(Silent())
    later = context_of(path).success
    assert (later.of_operator("cut"), later.of_objects((("blade", "knife1"),))) == pytest.approx(taught)
    assert taught < fresh
    # What was taken from the file is not added to it once more.
    later.experience.keep(Silent())
    assert read_evidence(path).skills["cut"] == Outcomes(failed=2)
    for _ in range(8):
        later.record(context.task.ground(CUT), succeeded=True)
    assert later.of_objects((("blade", "knife1"),)) > taught[1]


def test_what_is_known_of_a_thing_holds_in_its_scene_and_for_its_class_only(tmp_path):
    path = tmp_path / "experience.json"
    context = context_of(path)
    context.success.experience.affordances.take(Remark("mug1", state="leaky"))
    context.success.experience.keep(Silent())
    entity = context.belief.entity
    assert Experience(entity, path, "kitchen").affordances.states == {"mug1": frozenset({"leaky"})}
    assert Experience(entity, path, "office").affordances.states == {}
    written = json.loads(path.read_text())
    written["objects"]["kitchen"]["mug1"]["class"] = "vase"
    path.write_text(json.dumps(written))
    assert Experience(entity, path, "kitchen").affordances.states == {}


def test_sessions_that_end_at_the_same_time_lose_nothing(tmp_path):
    path = tmp_path / "experience.json"
    news = [Evidence({("mug", "drink"): Outcomes(1)}, {"cut": Outcomes(0, 1)}, {"k": {}}) for _ in range(20)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: add_evidence(path, one), news))
    kept = read_evidence(path)
    assert (kept.classes["mug", "drink"], kept.skills["cut"]) == (Outcomes(20), Outcomes(0, 20))


def test_a_file_that_cannot_be_written_is_noted(tmp_path):
    class Log(Silent):
        def __init__(self):
            self.said = []

        def record(self, kind, /, **data):
            self.said.append((kind, data))

    path = tmp_path / "experience.json"
    context = context_of(path)
    context.success.record(context.task.ground(CUT), succeeded=True)
    path.write_text("{")
    log = Log()
    context.success.experience.keep(log)
    assert [kind for kind, _ in log.said] == ["log"]
    assert "Experience is not kept." in log.said[0][1]["text"]


def filled_mug(path):
    options = Options(overrides={"optimise": "success", "experience": str(path)})
    session = plan_household("kitchen", FILLED, options)
    plan = make_plan(session.context, session.mission.goal)
    return next(name for action in plan.actions for name in action.arguments if name.startswith("mug"))


def test_plans_keep_off_what_people_have_called_broken(tmp_path):
    path = tmp_path / "experience.json"
    usual = filled_mug(path)
    context = context_of(path, optimise="cost")
    reader = InstructionReader(context, Mission(f"{usual} leaks"), CommandReasoner())
    reader.accept(reader.begin().result())
    assert filled_mug(path) != usual


def test_without_the_setting_a_remark_holds_for_the_session():
    session, _ = open_household("kitchen", FILLED, Options())
    context = session.context
    assert context.success is None
    understood = CommandReasoner().understand("you can't cut with that knife", situation(context))
    InstructionReader(context, Mission(), CommandReasoner()).keep_in_mind(understood)
    knife = context.belief.entity("knife1")
    assert context.success.experience.affordances.probability(knife, "cut") < 0.1
