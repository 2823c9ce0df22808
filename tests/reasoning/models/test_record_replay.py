"""Recording what models answer, and answering from the record."""

import json

import pytest

from foretree.reasoning.models.model import Question, Reply, UnrecordedQuestionError
from foretree.reasoning.models.record_replay import (
    AnswerBook,
    AnswerBookError,
    RecordingModel,
    RememberingModel,
    ReplayedModel,
    reply_from,
)

ONE, OTHER = Question("s", "one"), Question("s", "other")


class Counting:
    """A model that says how often it was asked."""

    name = "m"

    def __init__(self, problem=""):
        self.asked = []
        self.problem = problem

    def ask(self, question):
        self.asked.append(question)
        return Reply(f"answer {len(self.asked)} é", self.problem, 5, 2, 1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "answers.jsonl"


def test_what_is_recorded_is_replayed(path):
    recording = RecordingModel(Counting(), AnswerBook(path))
    said = [recording.ask(ONE), recording.ask(OTHER)]
    book = AnswerBook(path)
    assert book.model() == "m"
    replayed = ReplayedModel("m", book)
    assert [replayed.ask(ONE), replayed.ask(OTHER), replayed.ask(ONE)] == [*said, said[0]]


def test_what_is_in_the_book_is_not_asked_again(path):
    model = Counting()
    recording = RecordingModel(model, AnswerBook(path))
    assert recording.ask(ONE) == recording.ask(ONE)
    assert RecordingModel(model, AnswerBook(path)).ask(ONE) == recording.ask(ONE)
    assert len(model.asked) == 1
    assert len(path.read_text().splitlines()) == 1


def test_what_another_process_has_written_meanwhile_is_not_asked_again(path):
    model = Counting()
    one, other = (RecordingModel(model, AnswerBook(path)) for _ in "ab")
    assert one.ask(ONE) == other.ask(ONE)
    assert len(model.asked) == 1


def test_trouble_is_replayed_but_asked_anew_in_the_next_recording(path):
    recording = RecordingModel(Counting("down"), AnswerBook(path))
    assert recording.ask(ONE).problem == recording.ask(ONE).problem == "down"
    assert ReplayedModel("m", AnswerBook(path)).ask(ONE).problem == "down"
    assert RecordingModel(Counting(), AnswerBook(path)).ask(ONE).problem == ""
    assert ReplayedModel("m", AnswerBook(path)).ask(ONE).problem == "", "the last line counts"


def test_another_model_is_another_question(path):
    RecordingModel(Counting(), AnswerBook(path)).ask(ONE)
    with pytest.raises(UnrecordedQuestionError):
        ReplayedModel("n", AnswerBook(path)).ask(ONE)


def test_a_question_that_is_not_in_the_book_is_an_error_that_says_what_to_do(path):
    RecordingModel(Counting(), AnswerBook(path)).ask(ONE)
    with pytest.raises(
        UnrecordedQuestionError, match=r"answers\.jsonl has no answer of m .*llm_record.*other"
    ):
        ReplayedModel("m", AnswerBook(path)).ask(OTHER)
    assert path.with_name("answers.jsonl.missing").read_text() == "s\n\nother\n"  # whole, however long it is


def test_half_a_line_is_still_being_written(path):
    RecordingModel(Counting(), AnswerBook(path)).ask(ONE)
    with path.open("a") as file:
        file.write('{"digest": "abc"')
    book = AnswerBook(path)
    assert len(book) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", r"answers\.jsonl:2: Invalid JSON"),
        ("[]", r"answers\.jsonl:2: .*the keys digest, model"),
        (json.dumps({"digest": 5}), r"answers\.jsonl:2: digest: "),
    ],
)
def test_a_line_that_makes_no_sense_is_named(path, line, told):
    RecordingModel(Counting(), AnswerBook(path)).ask(ONE)
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(AnswerBookError, match=told) as caught:
        AnswerBook(path)
    assert "\n" not in str(caught.value)


def test_a_book_that_is_a_folder(tmp_path):
    with pytest.raises(AnswerBookError, match="Cannot read"):
        AnswerBook(tmp_path)


def test_a_book_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AnswerBookError, match="Cannot"):
        RecordingModel(Counting(), AnswerBook(tmp_path / "file" / "answers.jsonl")).ask(ONE)


def test_whose_answers_they_are_has_to_be_said_if_there_are_several(path):
    book = AnswerBook(path)
    with pytest.raises(AnswerBookError, match=r"no model at all.*llm_model"):
        book.model()
    for name in "nm":
        book.write(ONE, name, Reply("x"))
    with pytest.raises(AnswerBookError, match=r"answers of m, n: .*llm_model"):
        book.model()


def test_what_is_remembered_is_said_in_its_order_and_then_the_model_is_asked():
    model = Counting()
    digest = ONE.digest("m")
    remembering = RememberingModel([(digest, Reply("first")), (digest, Reply("second"))], model)
    assert [remembering.ask(ONE).text for _ in range(3)] == ["first", "second", "answer 1 é"]
    assert remembering.ask(OTHER).text == "answer 2 é"


def test_a_reply_out_of_a_record():
    reply = Reply("a", "b", 1, 2, 3)
    assert reply_from(json.loads(json.dumps(reply.as_json()))) == reply
