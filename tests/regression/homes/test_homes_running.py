"""Household tasks carried out in grid homes: judged by the truth, the same however they are run, taken up again."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest
from pydantic import TypeAdapter

from foretree.reasoning.models.model import Spending
from foretree.regression.core.result_cache import ResultCacheError
from foretree.regression.core.selection import SuiteError
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.homes._draw import ErrandDrawing
from foretree.regression.homes._episode import HomeEpisode, HomesTrial, HomeTrials
from foretree.regression.homes.report import HomesReport
from foretree.regression.homes.running import run_homes_suite
from foretree.regression.homes.suite import read_homes_suite
from foretree.regression.language.scripted_model import MODEL, scripted_server
from foretree.regression.reports.output import markdown
from foretree.regression.suites import Selection, regress

#: Small homes with few things in them, so that it does not take long.
LITTLE = """\
suite: little
kind: homes
things: 25
families: [pick_and_place, clean_and_place]
splits: [unseen]
modes: [diverse]
errands: 2
variants:
  all-guards: {}
  none: {settings: {guards: none}}
sweep: {noise: [0, 1], variants: [none], errands: 1}
"""
#: The same in homes that may be learned from, with a model that costs something.
ASKED = """\
suite: asked
kind: homes
things: 25
families: [pick_and_place, cool_and_place]
splits: [seen]
modes: [diverse]
errands: 2
variants:
  all-guards: {settings: {llm_price_asked: 2, llm_price_answered: 8}}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("suites") / "little.yaml"
    path.write_text(LITTLE)
    return str(path)


@pytest.fixture(scope="module")
def suite(path):
    return read_homes_suite(path)


@pytest.fixture(scope="module")
def drawn(suite):
    return [ErrandDrawing(suite).run(errand) for errand in suite.all_errands(seed=2)]


# -- drawing -----------------------------------------------------------------------------------------
def test_what_is_drawn_follows_from_the_errand_alone(suite, drawn):
    for one in drawn:
        assert not one.trouble, one.details
        assert ErrandDrawing(suite).run(one.errand) == one
        assert one.best > 0
        assert one.layout.split("/")[0] not in ("galley_kitchen", "l_kitchen", "living", "bathroom")


def test_a_home_has_what_its_task_takes_whatever_the_noise(suite, drawn):
    for one in drawn:
        homes = [one.episode(suite.things, noise).open().rules.home for noise in (0.0, 2.0)]
        things = [[(t.class_name, t.extent, t.states) for t in home.things.values()] for home in homes]
        assert things[0] == things[1]
        assert {class_name for class_name, *_ in things[0]} >= {
            value for _, value in one.parameters if isinstance(value, str)
        }


def test_what_cannot_be_drawn_is_told(suite):
    nowhere = replace(suite, things=10**6)
    errand = replace(suite.all_errands()[0], family="no_such_family")
    found = ErrandDrawing(nowhere).run(errand)
    assert found.trouble == "crashed"
    assert "no family of tasks 'no_such_family'" in found.details


# -- one trial ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def episode(suite, drawn):
    return HomeTrials(suite).run(HomesTrial(5, drawn[0], "all-guards", 0.0))


def test_a_trial_is_judged_by_the_truth(drawn, episode):
    assert episode.sound, episode.details
    assert (episode.number, episode.label, episode.variant) == (5, drawn[0].errand.label, "all-guards")
    assert (episode.outcome, episode.success, episode.guarded) == ("reached", True, True)
    assert episode.conditions == (1, 1)
    assert episode.controls >= episode.best > 0
    assert episode.actions > 0
    assert episode.planned > 0
    assert episode.wrong_picks == 0
    assert episode.seconds == pytest.approx(episode.controls / 2, abs=5)


def test_a_trial_is_the_same_the_second_time(suite, drawn, episode):
    again = HomeTrials(suite).run(HomesTrial(5, drawn[0], "all-guards", 0.0))
    assert again == episode
    assert again.record


def test_a_trial_that_takes_too_long_has_hung(suite, drawn):
    found = HomeTrials(suite).run(HomesTrial(0, drawn[0], "none", 1.0), limit=0.0)
    assert (found.trouble, found.success, found.running, found.alive) == ("hung", False, (), ())
    assert not found.sound


def test_a_trial_that_crashes_is_told(suite, drawn):
    broken = replace(drawn[0], goal="(on nothing1 nowhere1)")
    found = HomeTrials(suite).run(HomesTrial(0, broken, "none", 1.0))
    assert found.trouble == "crashed"
    assert "nothing1" in found.details
    told = HomeTrials(suite).troubled(HomesTrial(0, broken, "none", 1.0), "hung", "no answer", 7.0)
    assert (told.trouble, told.details, told.effort.wall) == ("hung", "no answer", 7.0)


def test_what_a_language_model_took_is_the_same_when_its_answers_are_replayed(tmp_path, monkeypatch):
    pytest.importorskip("openai")
    path, book = tmp_path / "asked.yaml", tmp_path / "answers.jsonl"
    path.write_text(ASKED)
    suite = read_homes_suite(str(path)).revised_by(["llm", "planner"])
    monkeypatch.setenv("FORETREE_LLM_MODEL", MODEL)
    monkeypatch.setenv("FORETREE_LLM_RECORD", str(book))
    with scripted_server() as url:
        monkeypatch.setenv("FORETREE_LLM_URL", url)
        # In many homes nothing comes about that anybody has to be asked about.
        for seed in (5, 2, 4, 1):
            drawn = [ErrandDrawing(suite).run(errand) for errand in suite.all_errands(seed=seed)]
            trials = [HomesTrial(number, one, "all-guards", 1.0) for number, one in enumerate(drawn)]
            asked = [HomeTrials(suite).run(trial) for trial in trials]
            if any(one.spent.questions for one in asked):
                break
    report = HomesReport(suite, tuple(asked), Selection(str(path), seed=seed), tuple(drawn))
    assert report.ok, markdown(report)
    spent = Spending(**report.as_data()["variants"][0]["spent"])
    assert spent.questions == sum(one.spent.questions for one in asked) > 0
    assert spent.cost == pytest.approx((2 * spent.asked + 8 * spent.answered) / 1e6)
    assert "tokens asked" in markdown(report)

    for name in ("FORETREE_LLM_URL", "FORETREE_LLM_RECORD"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("FORETREE_LLM_REPLAY", str(book))
    assert [HomeTrials(suite).run(trial) for trial in trials] == asked
    read = TypeAdapter(HomeEpisode).validate_python
    assert [read(json.loads(json.dumps(asdict(one)))) for one in asked] == asked


# -- a suite -----------------------------------------------------------------------------------------
def test_results_of_another_language_model_are_not_mixed_with_these(path, tmp_path, monkeypatch):
    suite, nothing = read_homes_suite(path), SuiteRun(Selection(path, episodes=0, output=tmp_path))
    for model in ("small", "large"):
        monkeypatch.setenv("FORETREE_LLM_MODEL", model)
        run_homes_suite(suite, nothing)  # which asks none
    asking = suite.revised_by(["llm"])
    nothing = SuiteRun(Selection(path, episodes=0, output=tmp_path / "asking"))
    run_homes_suite(asking, nothing)
    monkeypatch.setenv("FORETREE_LLM_MODEL", "small")
    with pytest.raises(ResultCacheError, match=r"another language model \(large, not small\)"):
        run_homes_suite(asking, nothing)


@pytest.mark.slow
def test_a_suite_is_the_same_on_one_core_and_on_many_and_what_was_kept_is_not_run_again(path, tmp_path):
    suite = read_homes_suite(path)
    many = run_homes_suite(suite, SuiteRun(Selection(path, jobs=2, seed=2, sweep=True, output=tmp_path)))
    assert many.ok, markdown(many)
    assert [e.number for e in many.episodes] == list(range(5))
    assert [(e.variant, e.noise) for e in many.episodes[-2:]] == [("none", 1.0), ("none", 0.0)]
    one = run_homes_suite(suite, SuiteRun(Selection(path, jobs=1, seed=2, sweep=True)))
    assert (one.drawn, one.episodes) == (many.drawn, many.episodes)
    assert all(e.record for e in one.episodes)

    file = tmp_path / "little.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-2]) + lines[-1][:20])
    again = run_homes_suite(suite, SuiteRun(Selection(path, jobs=1, seed=2, sweep=True, output=tmp_path)))
    assert again.reused == 3
    assert again.episodes == many.episodes
    assert sorted(file.read_text().splitlines()[:-2]) == sorted(line.rstrip() for line in lines[:-2])
    with pytest.raises(ResultCacheError, match=r"another seed \(2, not 3\)"):
        run_homes_suite(suite, SuiteRun(Selection(path, seed=3, output=tmp_path)))


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ("likely_places.json", "another configuration"),
        ("gallery.npz", "another configuration"),
        ("code", "another code"),
    ],
)
def test_results_that_came_about_otherwise_are_not_mixed(path, tmp_path, monkeypatch, changed, refused):
    home, results = tmp_path / "home", tmp_path / "results"
    home.mkdir()
    monkeypatch.setenv("FORETREE_HOME", str(home))
    nothing = SuiteRun(Selection(path, episodes=0, jobs=1, output=results))
    suite = read_homes_suite(path)
    run_homes_suite(suite, nothing)
    run_homes_suite(suite, nothing)
    if changed == "code":
        package = tmp_path / "package"
        package.mkdir()
        (package / "__init__.py").touch()
        monkeypatch.setattr("foretree.regression.core.result_cache.PACKAGE", package)
    else:
        (home / changed).write_text("{}")
    with pytest.raises(ResultCacheError, match=refused):
        run_homes_suite(suite, nothing)


@pytest.mark.slow
def test_an_episode_can_be_asked_for_by_name_and_kept_as_a_run(path, tmp_path, monkeypatch):
    from foretree.runs.reader import events
    from foretree.runs.store import RunStore

    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    label = "clean_and_place/diverse/unseen/0"
    report = regress(Selection(path, jobs=1, only=(label,), variants=("none",), noise=0.0, keep=True))
    (kept,) = report.episodes
    assert (kept.label, kept.variant, kept.noise) == (label, "none", 0.0)
    recorded = list(events(RunStore().open(kept.run)))
    assert recorded[0].kind == "run.started"
    assert recorded[-1].kind == "run.ended"
    assert f"foretree replay {kept.run}" in markdown(report)
    json.dumps(report.as_data())


@pytest.mark.parametrize(
    ("choice", "serves"),
    [
        ({"ablate": ("all",)}, "grid homes, language and trials of ALFRED"),
        ({"modes": ("diverse",)}, "grid homes"),
        ({"sweep": True}, "grid homes and trials of ALFRED"),
        ({"noise": 0.0}, "grid homes and trials of ALFRED"),
    ],
)
@pytest.mark.parametrize("suite", ["smoke", "building"])
def test_what_is_for_homes_is_refused_elsewhere(suite, choice, serves):
    with pytest.raises(SuiteError, match=f"is for suites of {serves} only"):
        regress(Selection(suite, **choice))


def test_what_is_for_planning_is_refused_in_homes():
    with pytest.raises(SuiteError, match="--level is for suites of planning and tasks from words only"):
        regress(Selection("household", levels=("simple",)))
