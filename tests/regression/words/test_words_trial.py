from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from foretree.planning.task.goals import parse_goal
from foretree.reasoning.retrieval.retriever import Hit, Retrieved
from foretree.regression.core.wordings import Wording
from foretree.regression.planning.factory import mapped_scene
from foretree.regression.words._attribution import find_failure
from foretree.regression.words._seen_scene import seen_scene
from foretree.regression.words.suite import WordsSuite, WordsVariant, read_words_suite
from foretree.regression.words.trial import WordsTrials

KEYWORD = {"keyword": WordsVariant()}


@cache
def building() -> WordsSuite:
    return read_words_suite("building-words")


def saying(task: str, *said: str, variants=KEYWORD) -> WordsSuite:
    """The suite with one task and these wordings of it."""
    suite = building().only([task], ["dual-arm"])
    first, *further = said
    more = tuple(Wording(f"more-{number}", say) for number, say in enumerate(further))
    worded = replace(suite.planning.tasks[task], instruction=first, otherwise="", further=more)
    return replace(suite, planning=replace(suite.planning, tasks={task: worded}), variants=variants)


def tried(suite: WordsSuite):
    kind = WordsTrials(suite)
    found = [kind.run(trial) for trial in suite.trials(1)]
    assert [episode.details for episode in found if episode.trouble] == []
    return found


def test_what_is_understood_is_carried_out_and_judged_by_the_truth():
    done, not_said, other, more, farther = tried(
        saying(
            "shirt-folded",
            "Fold the shirt.",
            "Frobnicate the shirt.",
            "Put the shirt into the fridge.",
            "Fold the shirt and open the fridge.",
            "Fold the shirt and go to the fridge.",
        )
    )
    assert (done.success, done.failure, done.other_meaning) == (True, "", False)
    assert done.goal == "(folded shirt1)"
    assert 0 < done.to_goal < 5
    assert 0 < done.to_plan < 30
    assert (not_said.success, not_said.failure, not_said.goal) == (False, "misunderstanding", "")
    assert "frobnicate" in not_said.reason
    assert not not_said.other_meaning
    assert (other.success, other.failure, other.other_meaning) == (False, "misunderstanding", True)
    assert (more.success, more.other_meaning) == (False, True)
    assert more.unasked == ("(open fridge1)",)
    assert farther.success


def test_the_right_goal_about_other_things_is_a_failure_of_grounding():
    (found,) = tried(saying("mango-into-the-fridge", "Put the cucumber into the fridge."))
    assert (found.failure, found.other_meaning) == ("grounding", True)


def spoken(task: str, say: str):
    suite = saying(task, say)
    kind = WordsTrials(suite)
    return kind._spoken(suite.trials(1)[0], 240.0)


def test_nodes_that_were_missed_are_a_failure_of_retrieval():
    task = spoken("mango-into-the-fridge", "Put the mango into the fridge.")
    found = Retrieved((Hit("sink1", "a mistake"),))
    attempt = task.attempt(found, task.scene)
    assert not attempt.done
    assert find_failure(task, attempt, found, task.scene) == "retrieval"


@pytest.mark.parametrize("mistake", ["overlooked", "mistaken"])
def test_what_is_seen_wrongly_is_a_failure_of_perception(mistake):
    task = spoken("shirt-folded", "Fold the shirt.")
    found = Retrieved((Hit("couch1", "the shirt is there"),))
    chances = {"overlooked": 0.0, "mistaken": 0.0, mistake: 1.0}
    seen = seen_scene(task.scene, **chances, rng=Random(0))
    assert seen.items.get("shirt1") != task.scene.items["shirt1"]
    attempt = task.attempt(found, seen)
    assert not attempt.done
    assert find_failure(task, attempt, found, seen) == "perception"


def test_a_goal_without_a_plan_is_a_failure_of_planning():
    task = spoken("shirt-folded", "Fold the shirt.")
    vocabulary = mapped_scene("office").catalogue.domain
    impossible = parse_goal("(and (folded shirt1) (not (folded shirt1)))", vocabulary, {"shirt1": "shirt"})
    meant = replace(task.task, goal=impossible.formula, success=impossible.formula)
    task = replace(task, suite=replace(task.suite, tasks={meant.name: meant}), seconds=5.0)
    found = Retrieved((Hit("couch1", "the shirt is there"),))
    attempt = task.attempt(found, task.scene)
    assert find_failure(task, attempt, found, task.scene) == "planning"


def test_what_rests_on_an_overlooked_thing_is_overlooked_too():
    scene = mapped_scene("office").scene
    bearing = {item.place for item in scene.items.values()} & scene.items.keys()
    for seed in range(5):
        seen = seen_scene(scene, 0.3, 0.3, Random(seed))
        assert seen.items != scene.items
        for item in seen.items.values():
            assert item.place in seen.items or item.place in scene.furniture
        changed = {name for name, item in seen.items.items() if item != scene.items[name]}
        assert changed
        assert not changed & bearing
    assert seen_scene(scene, 0.0, 0.0, Random(1)) is scene
