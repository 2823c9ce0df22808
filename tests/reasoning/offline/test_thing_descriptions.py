"""Descriptions of things read by what is commonly known of their classes."""

import pytest

from foretree.errors import ForetreeError
from foretree.reasoning.offline.knowledge.lemmas import lemma
from foretree.reasoning.offline.knowledge.thing_descriptions import DescriptionReader
from foretree.reasoning.offline.knowledge.things_file import load_things

MEANT = [
    # what is done with it, in every order of words
    ("", "you need to eat soup", "spoon"),
    ("", "one stirs one's tea with", "spoon"),
    ("", "with which bread is cut", "knife"),
    ("", "for spreading butter", "knife"),
    ("", "that opens the front door", "keys"),
    ("", "I use to call people", "phone"),
    ("", "to dry myself with", "towel"),
    ("", "used for washing dishes", "sponge"),
    # what is done to it, in it, from it
    ("", "that monkeys are said to like", "banana"),
    ("", "that can be read", "book"),
    ("", "you drink coffee from", "mug"),
    ("", "people sleep in", "bed"),
    ("", "a person sleeps under", "blanket"),
    ("", "I wear over everything else in winter", "coat"),
    # what it is like, where it comes from, what it has
    ("bent yellow", "", "banana"),
    ("", "made of glass", "glass"),
    ("", "with prongs", "fork"),
    ("", "rich in calcium", "milk"),
    ("", "that comes from a chicken", "egg"),
    ("", "soft for my head", "pillow"),
    ("", "that keeps the rain off", "umbrella"),
    ("", "that tells me the time", "clock"),
]


@pytest.fixture(scope="module")
def reader():
    return DescriptionReader(("table", "table1", "counter"))


@pytest.mark.parametrize(("before", "after", "name"), MEANT, ids=[" ".join(one[:2]) for one in MEANT])
def test_descriptions_mean_what_is_commonly_known_so(reader, before, after, name):
    meant = reader.meant(before.split(), after.lower().split())
    assert meant is not None
    assert meant.classes[0] == name


@pytest.mark.parametrize(
    "words",
    [
        "to blorb with",
        "that never stirs tea",
        "on the table",
        "without a blade",
        "should be clean",
        "to eat nails",
    ],
)
def test_what_is_not_known_of_any_class_is_not_read(reader, words):
    assert reader.meant((), words.split()) is None


def test_a_noun_limits_what_is_meant(reader):
    assert reader.meant((), ["for", "my", "cereal"], roles=("at",)).classes == ("bowl",)
    assert reader.meant((), ["to", "eat", "salad"], roles=("with", "at")).classes == ("fork",)
    assert reader.meant((), ["that", "are", "healthy"], of=("apple", "bread")).classes == ("apple",)


def test_a_description_ends_before_the_place_in_the_scene(reader):
    tokens = ["the", "thing", "i", "stir", "tea", "with", "on", "table1"]
    assert max(reader.ends(tokens, 2, len(tokens))) == tokens.index("on")


def test_all_forms_of_a_word_are_one():
    for forms in ("drink drinks drinking drunk drank", "wash washes washed washing", "knife knives"):
        assert len({lemma(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "things:\n  fork: {with: {eat: <nonsense>}}\n",
            r"things.yaml:2: things.fork.with: there is no list",
        ),
        ("things:\n  fork: {colour: red}\n", r"things.yaml:2: things.fork.colour: there is no such key"),
    ],
)
def test_mistakes_in_the_file_are_located(tmp_path, text, problem):
    path = tmp_path / "things.yaml"
    path.write_text(text)
    with pytest.raises(ForetreeError, match=problem):
        load_things(path)
