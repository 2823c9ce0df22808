"""Recording what models answer, and answering from the record: tests and regressions need no network.

An answer book is a file with one JSON object per line: a question, by digest and in full, and the reply. The
same question gets the same reply, as often as it is asked.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from foretree.errors import ForetreeError
from foretree.locking import make_private_folder
from foretree.reasoning.models.endpoint import MOST_TOKENS
from foretree.reasoning.models.model import Model, Question, Reply, UnrecordedQuestionError
from foretree.schema import Strict


class AnswerBookError(ForetreeError):
    """An answer book cannot be read or written."""


#: Of a question that is not on record, so many characters are shown of each part.
_MOST_SHOWN = 300

_Count = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


class _Reply(Strict):
    text: str
    problem: str
    asked: _Count
    answered: _Count
    calls: _Count
    format: str = ""


class _Entry(Strict):
    digest: str
    model: str
    system: str
    user: str
    most_tokens: int
    reply: _Reply


class AnswerBook:
    """A file of questions and replies. Several processes may write into one.

    Args:
        path: the file; it need not be there yet.

    Raises:
        AnswerBookError: it cannot be read, or is something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._replies: dict[str, Reply] = {}
        self._models: set[str] = set()
        self._read = 0
        self._lines = 0
        self._lock = threading.Lock()
        self.refresh()

    def __len__(self) -> int:
        return len(self._replies)

    def model(self) -> str:
        """The single model that all answers are from.

        Raises:
            AnswerBookError: they are from several, or there are none.
        """
        if len(self._models) != 1:
            names = ", ".join(sorted(self._models)) or "no model at all"
            raise AnswerBookError(
                f"{self.path} has answers of {names}: say which model with the setting llm_model."
            )
        return next(iter(self._models))

    def find(self, digest: str) -> Reply | None:
        """The reply to a question, by its digest."""
        with self._lock:
            return self._replies.get(digest)

    def write(self, question: Question, model: str, reply: Reply) -> None:
        """Note a reply; it takes the place of an earlier one to the same question.

        Raises:
            AnswerBookError: the file cannot be written.
        """
        digest = question.digest(model)
        entry = {
            "digest": digest,
            "model": model,
            "system": question.system,
            "user": question.user,
            "most_tokens": question.most_tokens,
            "reply": reply.as_json(),
        }
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        with self._lock:
            self._replies[digest] = reply
            self._models.add(model)
            try:
                make_private_folder(self.path.parent)
                # One write to the end of the file: lines of several processes do not get mixed up.
                file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                try:
                    os.write(file, line.encode("utf-8", "replace"))
                finally:
                    os.close(file)
            except OSError as error:
                raise AnswerBookError(f"Cannot write {self.path}: {error.strerror}.") from error

    def refresh(self) -> None:
        """Take in what others have written since the last time.

        Raises:
            AnswerBookError: the file cannot be read, or a line of it makes no sense.
        """
        with self._lock:
            try:
                with self.path.open("rb") as file:
                    file.seek(self._read)
                    written = file.read()
            except FileNotFoundError:
                return
            except OSError as error:
                raise AnswerBookError(f"Cannot read {self.path}: {error.strerror}.") from error
            whole = written[: written.rfind(b"\n") + 1]  # the rest is still being written
            for line in whole.splitlines():
                self._lines += 1
                try:
                    entry = _Entry.model_validate_json(line)
                except ValidationError as error:
                    mistake = error.errors(include_url=False, include_input=False)[0]
                    key = ".".join(map(str, mistake["loc"]))
                    where = f"{self.path}:{self._lines}:{f' {key}:' if key else ''}"
                    raise AnswerBookError(
                        f"{where} {mistake['msg']}. A line of an answer book is a JSON object with the keys "
                        f"{', '.join(_Entry.model_fields)}."
                    ) from error
                self._replies[entry.digest] = Reply(**entry.reply.model_dump())
                self._models.add(entry.model)
            self._read += len(whole)


class RecordingModel:
    """Answers from the book what is in it, asks a model for the rest, and writes that down.

    What went wrong in an earlier recording is asked anew, but only once: a run has to be like its replay.
    """

    def __init__(self, model: Model, book: AnswerBook) -> None:
        self.name = model.name
        self._model = model
        self._book = book
        self._asked: dict[str, Reply] = {}

    def ask(self, question: Question) -> Reply:
        """See :class:`~foretree.reasoning.models.model.Model`."""
        digest = question.digest(self.name)
        known = self._asked.get(digest)
        if known is None:
            self._book.refresh()
            known = self._book.find(digest)
            if known is None or known.problem:
                known = self._model.ask(question)
                self._book.write(question, self.name, known)
            self._asked[digest] = known
        return known


class ReplayedModel:
    """Answers from the book, and from nowhere else.

    Args:
        name: the model that the answers are from.
        book: the answers.
    """

    def __init__(self, name: str, book: AnswerBook) -> None:
        self.name = name
        self._book = book

    def ask(self, question: Question) -> Reply:
        """See :class:`~foretree.reasoning.models.model.Model`.

        Raises:
            UnrecordedQuestionError: it is not in the book.
        """
        digest = question.digest(self.name)
        found = self._book.find(digest)
        if found is None:
            raise UnrecordedQuestionError(
                f"{self._book.path} has no answer of {self.name} to question {digest}, and no model is "
                "asked in a replay. The scene, the domain or the words of the prompt have changed since it "
                f"was recorded; record it anew with the setting llm_record.{self._written_down(question)} "
                f"The prompt: {_beginning(question.system)} The data: {_beginning(question.user)}"
            )
        return found

    def _written_down(self, question: Question) -> str:
        """Write a question that is not in the book beside it, whole; return where, as a sentence."""
        path = self._book.path.with_name(f"{self._book.path.name}.missing")
        try:
            path.write_text(f"{question.system}\n\n{question.user}\n", encoding="utf-8")
        except OSError:
            return ""  # the error shows its beginning all the same
        return f" The whole question is in {path}."


def _beginning(text: str) -> str:
    """The beginning of a text, on one line."""
    told = " ".join(text.split())
    return f"{told[:_MOST_SHOWN]}…" if len(told) > _MOST_SHOWN else told


class RememberingModel:
    """Gives the replies that are on record first, in their order, and then asks another model.

    A run that is resumed is carried out once more up to where it broke off, without asking a model twice.

    Args:
        replies: digests and replies.
        model: who is asked for what is not among them.
    """

    def __init__(self, replies: Iterable[tuple[str, Reply]], model: Model) -> None:
        self.name = model.name
        self._model = model
        self._replies: dict[str, list[Reply]] = {}
        for digest, reply in replies:
            self._replies.setdefault(digest, []).append(reply)

    def ask(self, question: Question) -> Reply:
        """See :class:`~foretree.reasoning.models.model.Model`."""
        left = self._replies.get(question.digest(self.name))
        return left.pop(0) if left else self._model.ask(question)


def reply_from(data: Any) -> Reply:
    """A reply as a run's record has it."""
    return Reply(**_Reply.model_validate(data).model_dump())
