"""Where things are likely to be: what is expected, what is learned, and the file in between."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.config import ConfigError, config_roots
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.world_model.likely_places import (
    STRENGTH,
    LikelyPlaces,
    LikelyPlacesError,
    load_likely_places,
    read_sightings,
)

PLACES = ("bed", "cabinet", "fridge", "sink", "sofa")
EXPECTED = {"mug": {"cabinet": 3.0, "sink": 1.0}}


@pytest.fixture
def own_configs(tmp_path, monkeypatch):
    """A tree of configs with an expectations file of ours, written by calling this."""
    (tmp_path / "homes").mkdir()
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))

    def write(text):
        (tmp_path / "homes" / "mine.yaml").write_text(text, encoding="utf-8")
        return load_likely_places(tmp_path / "none.json", "mine")

    return write


def ranked(places, thing, names):
    likelihood = places.likelihood(thing, names)
    return tuple(sorted(likelihood, key=lambda name: (-likelihood[name], name)))


def test_what_is_expected_comes_first_and_the_rest_by_name():
    places = LikelyPlaces(EXPECTED, otherwise=0.5)
    assert ranked(places, "mug", PLACES) == ("cabinet", "sink", "bed", "fridge", "sofa")
    assert ranked(places, "mug", ["sofa", "bed"]) == ("bed", "sofa")
    assert ranked(places, "dragon", PLACES) == PLACES
    assert ranked(places, "mug", []) == ()


@given(
    st.dictionaries(st.sampled_from(PLACES), st.integers(0, 50)),
    st.sets(st.sampled_from(PLACES), min_size=1),
)
def test_likelihoods_add_up_to_one_and_none_is_nothing(sightings, there):
    likelihood = LikelyPlaces(EXPECTED, sightings={"mug": sightings}).likelihood("mug", there)
    assert set(likelihood) == there
    assert sum(likelihood.values()) == pytest.approx(1.0)
    assert all(value > 0 for value in likelihood.values())


def test_sightings_outweigh_what_was_expected_in_the_end():
    places = LikelyPlaces(EXPECTED, otherwise=0.5)
    places.confirm("mug", "bed")
    assert ranked(places, "mug", PLACES)[0] == "cabinet"
    for _ in range(int(2 * STRENGTH)):
        places.confirm("mug", "bed")
    assert ranked(places, "mug", PLACES)[0] == "bed"
    assert ranked(places, "cup", PLACES) == PLACES, "of other things nothing was learned"


def test_a_hint_counts_most_and_is_not_kept(tmp_path):
    path = tmp_path / "places.json"
    places = LikelyPlaces({"mug": {"cabinet": 9.0}}, path=path)
    places.hint("mug", "sofa", alike=("armchair",))
    places.hint("mug", "sofa")
    chances = places.likelihood("mug", ("sofa", "armchair", "cabinet", "shelf"))
    assert chances["sofa"] > 0.5
    assert chances["sofa"] > chances["cabinet"] > chances["armchair"] > chances["shelf"]
    assert sum(chances.values()) == pytest.approx(1.0)
    assert places.likelihood("knife", ("sofa", "shelf"))["sofa"] == 0.5
    assert "sofa" in places.places()
    places.confirm("mug", "shelf")
    places.save()
    assert "sofa" not in path.read_text()


def test_what_was_learned_is_there_the_next_time(tmp_path):
    path = tmp_path / "below" / "places.json"
    places = load_likely_places(path)
    places.confirm("mug", "bed")
    places.confirm("mug", "bed")
    places.save()
    places.save()  # nothing new
    places.confirm("cup", "sofa")
    places.save()
    assert read_sightings(path) == {"mug": {"bed": 2}, "cup": {"sofa": 1}}
    again = load_likely_places(path)
    assert again.likelihood("mug", PLACES) == places.likelihood("mug", PLACES)
    assert sorted(found.name for found in path.parent.iterdir()) == [".places.json.lock", "places.json"]


def test_what_was_not_saved_is_not_there(tmp_path):
    load_likely_places(tmp_path / "places.json").confirm("mug", "bed")
    assert read_sightings(tmp_path / "places.json") == {}


def test_frozen_it_neither_learns_nor_writes(tmp_path):
    path = tmp_path / "places.json"
    path.write_text('{"sightings": {"mug": {"bed": 3}}}', encoding="utf-8")
    places = load_likely_places(path, frozen=True)
    before = places.likelihood("mug", PLACES)
    assert before["bed"] > load_likely_places(tmp_path / "none.json").likelihood("mug", PLACES)["bed"]
    for _ in range(20):
        places.confirm("mug", "sofa")
    places.save()
    assert places.likelihood("mug", PLACES) == before
    assert read_sightings(path) == {"mug": {"bed": 3}}


def test_without_a_file_it_is_kept_below_the_data_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    places = load_likely_places()
    places.confirm("mug", "bed")
    places.save()
    assert (tmp_path / "likely_places.json").is_file()


def _learn(path: Path, times: int) -> None:
    for _ in range(times):
        places = load_likely_places(path)
        places.confirm("mug", "bed")
        places.save()


def test_runs_that_end_at_the_same_time_lose_nothing(tmp_path):
    path = tmp_path / "places.json"
    context = multiprocessing.get_context("fork")
    runs = [context.Process(target=_learn, args=(path, 15)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(120)
        assert run.exitcode == 0
    assert read_sightings(path) == {"mug": {"bed": 45}}


def test_a_write_that_fails_leaves_the_file_as_it_was_and_forgets_nothing(tmp_path, monkeypatch):
    path = tmp_path / "places.json"
    places = load_likely_places(path)
    places.confirm("mug", "bed")
    places.save()
    before = path.read_text()
    places.confirm("mug", "sofa")

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", fail)
        with pytest.raises(LikelyPlacesError, match=r"Cannot write .*places\.json: No space left on device"):
            places.save()
    assert path.read_text() == before
    assert {found.name for found in tmp_path.iterdir()} == {"places.json", ".places.json.lock"}
    places.save()
    assert read_sightings(path) == {"mug": {"bed": 1, "sofa": 1}}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "EOF"),
        ('{"sightings": {"mug": {"be', "EOF"),
        ("[]", "object"),
        ('{"sightings": {"mug": {"bed": -1}}}', r"sightings\.mug\.bed: .*greater than or equal to 0"),
        ('{"sightings": {"mug": {"bed": "much"}}}', r"sightings\.mug\.bed: .*integer"),
        ('{"found": {}}', "sightings: Field required"),
    ],
)
def test_a_broken_file_is_not_written_over(tmp_path, text, complaint):
    path = tmp_path / "places.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        LikelyPlacesError, match=rf"places\.json: .*{complaint}.*Repair it, or move it away"
    ) as caught:
        load_likely_places(path)
    assert "\n" not in str(caught.value)
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_breaks_during_a_run_is_not_written_over(tmp_path):
    path = tmp_path / "places.json"
    places = load_likely_places(path)
    places.confirm("mug", "bed")
    path.write_text("{", encoding="utf-8")
    with pytest.raises(LikelyPlacesError, match="Repair it"):
        places.save()
    assert path.read_text(encoding="utf-8") == "{"


def test_what_is_no_text_or_no_file_is_said_to_be_so(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LikelyPlacesError, match=r"Cannot read .*a\.json: it is not text"):
        load_likely_places(tmp_path / "a.json")
    with pytest.raises(LikelyPlacesError, match=r"Cannot read .*: Is a directory"):
        load_likely_places(tmp_path)


def test_expectations_are_a_file_like_others(own_configs):
    places = own_configs("otherwise: 1\nexpect:\n  - {things: [mug, cup], places: {bed: 2}}\n")
    assert places.likelihood("cup", ["bed", "sofa"]) == pytest.approx({"bed": 2 / 3, "sofa": 1 / 3})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("otherwise: 0\nexpect: []\n", r"mine\.yaml:1: otherwise: .*above 0"),
        ("otherwise: 1\nexpect:\n  - {things: [], places: {}}\n", r"mine\.yaml:3: expect\.0\.things"),
        (
            "otherwise: 1\nexpect:\n  - {things: [mug], places: {bed: -1}}\n",
            r"mine\.yaml:3: .*from 0 on",
        ),
        ("otherwise: 1\nexpect:\n  - {thing: [mug], places: {bed: 1}}\n", r"Did you mean things\?"),
        (
            "otherwise: 1\nexpect:\n  - {things: [mug], places: {}}\n  - {things: [mug], places: {}}\n",
            r"mine\.yaml:4: expect\.1\.things: mug is in a row for the second time",
        ),
    ],
)
def test_expectations_that_make_no_sense_are_refused(own_configs, text, complaint):
    with pytest.raises(ConfigError, match=complaint):
        own_configs(text)


def test_the_expectations_that_come_along_name_things_of_homes(tmp_path):
    import yaml

    path = config_roots()[-1] / "homes" / "likely_places.yaml"
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))["expect"]
    bodies = load_object_classes()
    things = {thing for row in rows for thing in row["things"]}
    assert things <= set(bodies.items)
    assert {place for row in rows for place in row["places"]} <= set(bodies.furniture)
    whole = {name for name in bodies.items if not name.endswith("_slice")}
    assert whole - things == set(), "these are searched for in any order"
    places = load_likely_places(tmp_path / "none.json")
    assert ranked(places, "milk", bodies.furniture)[0] == "fridge"
    assert ranked(places, "pillow", bodies.furniture)[0] in ("bed", "sofa")


def test_a_file_is_readable_for_people(tmp_path):
    places = load_likely_places(tmp_path / "places.json")
    places.confirm("mug", "sofa")
    places.confirm("mug", "bed")
    places.save()
    text = (tmp_path / "places.json").read_text(encoding="utf-8")
    assert text.index("bed") < text.index("sofa")
    assert json.loads(text) == {"sightings": {"mug": {"bed": 1, "sofa": 1}}}
