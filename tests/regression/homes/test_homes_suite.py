"""Suites of household tasks: which errands there are, and what is chosen of them; their files."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.config import ConfigError
from foretree.regression.core.selection import SuiteError
from foretree.regression.homes.household_tasks import FAMILIES
from foretree.regression.homes.suite import MODES, SPLITS, Sweep, read_homes_suite
from foretree.revision.expectation import GUARD_NAMES

LITTLE = """\
suite: little
kind: homes
errands: 3
things: 30
families: [coffee, toast, boil]
variants:
  all-guards: {}
  without-presence: {settings: {guards: [appearance, attribute, relationship]}}
  none: {settings: {guards: none}}
  neither: {settings: {guards: none, revisers: none}}
sweep:
  noise: [0, 2]
  variants: [all-guards, none]
  errands: 2
"""


@pytest.fixture(scope="module")
def household():
    return read_homes_suite("household")


def read(tmp_path, text=LITTLE):
    path = tmp_path / "little.yaml"
    path.write_text(text)
    return read_homes_suite(str(path))


# -- files -------------------------------------------------------------------------------------------
def test_a_suite_is_read(tmp_path):
    suite = read(tmp_path)
    assert (suite.name, suite.errands, suite.things, suite.noise) == ("little", 3, 30, 1.0)
    assert suite.families == ("coffee", "toast", "boil")
    assert (suite.modes, suite.splits) == (MODES, SPLITS)
    assert suite.variants["without-presence"].settings == {"guards": "appearance,attribute,relationship"}
    assert suite.reference.guards == GUARD_NAMES
    assert suite.sweep == Sweep(noise=(0, 2), variants=("all-guards", "none"), errands=2)


def test_the_suite_that_comes_with_it_leaves_out_each_guard_and_all(household):
    assert household.families == tuple(FAMILIES)
    without = {name: household.without(variant) for name, variant in household.variants.items()}
    assert without == {
        "all-guards": "",
        **{f"without-{guard}": guard for guard in GUARD_NAMES},
        "none": "all",
        "none-but-careful": "",
        "without-looking-round": "",
        "without-turning-round": "",
        "assumed-states": "",
        "none-no-replanning": "",
    }
    peer = household.variants[household.peer]
    assert (peer.name, household.stands_for(peer)) == ("none-but-careful", "all")
    assert list(household.ablated(["all"]).variants) == ["all-guards", "none-but-careful", "none"]
    assert household.errands == len(FAMILIES) * len(MODES) * len(SPLITS)
    assert household.sweep.noise == (0, 0.5, 1, 2, 3)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("toast, boil", "tost, boil", "families.1: there is no family of tasks 'tost'. Did you mean toast"),
        ("errands: 3", "errands: 0", "expected a number from 1 on"),
        ("things: 30", "thing: 30", "Did you mean things"),
        ("guards: none, revisers", "guard: none, revisers", "Did you mean guards"),
        ("[all-guards, none]", "[all-guards, non]", "sweep.variants.1: there is no variant 'non'"),
        ("noise: [0, 2]", "noise: [0, -2]", "expected a number from 0 on"),
        ("suite: little", "suite: little\npersistence: -1", "expected a number from 0 on"),
        ("suite: little", "suite: little\npeer: neithr", "peer: there is no variant 'neithr'. Did you mean"),
        ("suite: little", "suite: little\nmodes: [any]", "'fixed' or 'diverse'"),
        ("suite: little", "suite: little\nsplits: [other]", "'seen' or 'unseen'"),
        ("suite: little", "suite: little\nagent: hoomes", "Did you mean homes"),
    ],
)
def test_a_mistake_names_the_file_the_key_and_what_is_valid(tmp_path, old, new, says):
    assert old in LITTLE
    with pytest.raises(ConfigError) as error:
        read(tmp_path, LITTLE.replace(old, new, 1))
    assert says in str(error.value)
    assert "little.yaml:" in str(error.value)


def test_no_guard_at_all_can_be_written_as_an_empty_list(tmp_path):
    text = LITTLE.replace("guards: [appearance, attribute, relationship]", "guards: []")
    assert read(tmp_path, text).variants["without-presence"].settings == {"guards": "none"}


# -- errands -----------------------------------------------------------------------------------------
def test_every_family_is_sent_everywhere_equally_often(household):
    errands = household.all_errands(2 * household.errands)
    counted = Counter((e.family, e.mode, e.split) for e in errands)
    assert set(counted.values()) == {2}
    assert len(counted) == household.errands
    assert len({e.label for e in errands}) == len({e.seed for e in errands}) == len(errands)
    assert [e.number for e in errands] == list(range(len(errands)))


@settings(max_examples=20, deadline=None)
@given(count=st.integers(1, 40), seed=st.integers(0, 5))
def test_a_part_of_a_suite_has_the_same_errands(household, count, seed):
    some = household.only(["boil", "toast"], modes=["diverse"], splits=["unseen"])
    whole = {e.label: e.seed for e in household.all_errands(1600, seed)}
    for errand in some.all_errands(count, seed):
        assert errand.label.startswith(("boil/diverse/unseen/", "toast/diverse/unseen/"))
        assert whole[errand.label] == errand.seed


def test_an_errand_can_be_asked_for_by_name(household):
    wanted = household.all_errands(200, seed=3)[150]
    (found,) = household.only([wanted.label]).all_errands(seed=3)
    assert (found.label, found.seed, found.number) == (wanted.label, wanted.seed, 0)


def test_another_seed_gives_other_errands(household):
    one, other = household.all_errands(5, seed=1), household.all_errands(5, seed=2)
    assert not {e.seed for e in one} & {e.seed for e in other}


# -- choosing ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("parts", "variants"),
    [
        (["presence"], ["all-guards", "without-presence"]),
        (["all"], ["all-guards", "none"]),
        (["none"], ["all-guards", "none"]),
        (["neither", "presence"], ["all-guards", "neither", "without-presence"]),
    ],
)
def test_what_is_left_out_is_compared_with_the_whole(tmp_path, parts, variants):
    assert list(read(tmp_path).ablated(parts).variants) == variants


def test_what_no_variant_leaves_out_is_refused(tmp_path):
    with pytest.raises(SuiteError, match=r"no variant without 'presnce'\. Did you mean presence"):
        read(tmp_path).ablated(["presnce"])
    with pytest.raises(SuiteError, match=r"no variant without 'attribute'\. Valid: all"):
        read(tmp_path).ablated(["attribute"])


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        ({"names": ["cofee"]}, "no family 'cofee'. Did you mean coffee"),
        ({"names": ["cofee/diverse/seen/0"]}, "no family 'cofee'. Did you mean coffee"),
        (
            {"names": ["coffee/divers/seen/0"]},
            "FAMILY/MODE/SPLIT/NUMBER, for example coffee/diverse/unseen/0",
        ),
        ({"names": ["coffee/diverse/seen/first"]}, "no errand 'coffee/diverse/seen/first'"),
        ({"variants": ["nobody"]}, "no variant 'nobody'"),
        ({"modes": ["divers"]}, "no mode 'divers'. Did you mean diverse"),
        ({"splits": ["sen"]}, "no split 'sen'. Did you mean seen"),
    ],
)
def test_what_is_not_in_a_suite_cannot_be_chosen(tmp_path, choice, says):
    with pytest.raises(SuiteError) as error:
        read(tmp_path).only(**choice)
    assert says in str(error.value)


def test_a_reviser_is_asked_wherever_anybody_is(tmp_path):
    suite = read(tmp_path).revised_by(["planner"])
    assert [v.settings.get("revisers") for v in suite.variants.values()] == ["planner"] * 3 + ["none"]
    assert suite.without(suite.variants["none"]) == "all"
    with pytest.raises(ConfigError, match="plannr"):
        read(tmp_path).revised_by(["plannr"])
