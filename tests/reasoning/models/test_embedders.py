"""Embedders of the user's: a stand-in for the package of local models, and a server on this machine."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

from foretree.agent.dialogue.instruction_reader import situation
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.cli import main
from foretree.errors import ForetreeError, MissingPackageError
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.models.embedders import EmbedderError, RememberedEmbeddings, make_embedder
from foretree.reasoning.models.endpoint import Endpoint
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.world_model.affordances.shipped import shipped_placer
from tests.reasoning.model_server import model_server

#: Directions of words, in a space of meanings: drinking, cutting, cold.
MEANINGS = {
    "thirsty": (1, 0, 0),
    "gravelly": (0.97, 0.1, 0.05),
    "desert": (0.85, 0, 0.6),
    "cup": (0.9, 0.1, 0),
    "quaich": (0.9, 0.1, 0.05),
    "knife": (0.05, 0.99, 0),
    "cold": (0, 0, 1),
}


def vector(text):
    found = [MEANINGS[word] for word in text.lower().split() if word in MEANINGS]
    whole = [sum(column) for column in zip(*found, strict=True)] if found else [0.0, 0.0, 0.0]
    return [*whole, 0.2 * (len(text.split()) - len(found))]


class SentenceTransformer:
    """Loads and encodes as the class of that name in the package does."""

    def __init__(self, name, local_files_only=False):
        assert local_files_only
        if name == "broken":
            raise OSError("no model of that name is on this machine")
        self.short = name == "short"

    def encode(self, texts, show_progress_bar=None):
        return [vector(text) for text in texts][self.short :]


@pytest.fixture
def package(monkeypatch):
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


@pytest.fixture(scope="module")
def kitchen():
    session, _ = open_household("kitchen", Wish(goal="(filled mug1)"), Options())
    return situation(session.context)


def no_server(model):
    return Endpoint.from_environment({}, model=model)


def test_names_that_share_no_word_with_a_class_are_placed_beside_their_nearest(package):
    placer = shipped_placer(make_embedder("sentence:tiny", no_server))
    placed = placer.place("quaich")
    assert next(iter(placed.classes)) == "cup"
    assert 0 < placed.confidence <= 0.6
    assert placed.reason.startswith("its name is used like cup")
    assert placer.probability("quaich", "drink") > shipped_placer().probability("quaich", "drink")
    # What is listed needs no neighbours.
    assert placer.place("mug").confidence == 1.0


def test_a_need_in_unknown_words_is_met_and_it_is_said_why(package, kitchen):
    reasoner = CommandReasoner(make_embedder("sentence:tiny", no_server))
    with pytest.raises(NotUnderstoodError):
        CommandReasoner().understand("my tongue feels gravelly", kitchen)
    understood = reasoner.understand("my tongue feels gravelly", kitchen)
    thirst = CommandReasoner().understand("I am thirsty", kitchen)
    assert understood.goal == thirst.goal
    assert 'is put like "I am thirsty"' in understood.sentence


@pytest.mark.parametrize(
    "said",
    [
        "my tongue does not feel gravelly",
        "my tongue was gravelly",
        "is my tongue gravelly?",
        "gravelly the tongue",
        "my tongue feels odd",
    ],
)
def test_what_denies_asks_or_is_like_nothing_is_not_taken_for_a_need(package, kitchen, said):
    with pytest.raises(NotUnderstoodError) as error:
        CommandReasoner(make_embedder("sentence:tiny", no_server)).understand(said, kitchen)
    assert "thirsty" not in str(error.value)


def test_what_is_like_two_needs_is_asked_about(package, kitchen):
    with pytest.raises(NotUnderstoodError, match=r'Do you mean "I am (thirsty|cold)"'):
        CommandReasoner(make_embedder("sentence:tiny", no_server)).understand(
            "it all feels like a desert", kitchen
        )


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'foretree\[sentence\]'"):
        make_embedder("sentence:tiny", no_server)


@pytest.mark.parametrize(
    ("model", "says"), [("broken", "no model of that name"), ("short", "no vector for each")]
)
def test_a_model_that_does_not_work_is_one_line(package, model, says):
    embed = make_embedder(f"sentence:{model}", no_server)
    with pytest.raises(EmbedderError, match=says) as error:
        embed(["one", "two"])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("named", ["tiny", "sentence:", "word2vec:tiny"])
def test_what_is_no_embedder_is_refused(named):
    with pytest.raises(ForetreeError, match=r"is no embedder\. Write sentence:MODEL"):
        make_embedder(named, no_server)
    assert make_embedder("", no_server) is None


def test_each_text_is_embedded_once():
    asked = []

    def embed(texts):
        asked.extend(texts)
        return [vector(text) for text in texts]

    remembered = RememberedEmbeddings(embed)
    assert remembered(["cup", "knife", "cup"]) == [vector("cup"), vector("knife"), vector("cup")]
    remembered(["knife"])
    assert asked == ["cup", "knife"]


def test_a_server_gives_vectors_too():
    with model_server() as server:
        server.answers = [json.dumps([[1.0, 0.0], [0.0, 1.0]])]
        embed = make_embedder("endpoint:tiny", lambda model: Endpoint(server.url, model))
        assert embed(["cup", "knife"]) == [[1.0, 0.0], [0.0, 1.0]]
        assert server.asked[0]["model"] == "tiny"


def test_the_command_line_takes_one(package, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as left:
        main(["affordances", "show", "quaich", "--embedder", "sentence:tiny"])
    assert left.value.code == 0
    assert "its name is used like cup" in capsys.readouterr().out


def test_a_session_takes_one(package):
    options = Options(overrides={"embedder": "sentence:tiny"})
    session, _ = open_household("kitchen", Wish(goal="(filled mug1)"), options)
    assert session.context.embed is not None
