"""Embedders: models of the user's that turn texts into vectors; what uses them does without, too.

``sentence:MODEL`` is a model on this machine, a name or a folder, for the package ``sentence-transformers``
(``pip install foretree[sentence]``); nothing is downloaded. ``endpoint:MODEL`` is one of the server that the
settings ``llm_…`` describe.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from foretree.errors import ForetreeError, takes_extra
from foretree.printable import quote
from foretree.reasoning.models.endpoint import Client, Endpoint
from foretree.world_model.affordances.embedding import Embed

LOCAL, SERVED = "sentence", "endpoint"


class EmbedderError(ForetreeError):
    """An embedder that there is not, or that gives no vectors."""


class SentenceEmbedder:
    """A model on this machine. It is loaded when it is first asked.

    Args:
        model: its name among those that were downloaded before, or its folder.

    Raises:
        MissingPackageError: the package ``sentence-transformers`` is not installed.
    """

    def __init__(self, model: str) -> None:
        with takes_extra("sentence", "Sentence embeddings"):
            from sentence_transformers import SentenceTransformer
        self._make: Callable[..., Any] = SentenceTransformer
        self._name = model
        self._model: Any = None
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text.

        Raises:
            EmbedderError: the model cannot be loaded, or gives none.
        """
        try:
            with self._lock:
                if self._model is None:
                    self._model = self._make(self._name, local_files_only=True)
                vectors = self._model.encode(list(texts), show_progress_bar=False)
            found = [[float(number) for number in vector] for vector in vectors]
        except Exception as error:  # whatever such a model may raise
            told = " ".join(str(error).split())[:200] or type(error).__name__
            raise EmbedderError(f"The sentence model {quote(self._name)} cannot be used: {told}") from error
        return _checked(found, texts, self._name)


class ServedEmbedder:
    """A model on a server that speaks the OpenAI protocol."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._client = Client(endpoint)

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text.

        Raises:
            EndpointError: there are none.
        """
        return self._client.embed(texts)


class RememberedEmbeddings:
    """Asks an embedder for each text once."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._known: dict[str, Sequence[float]] = {}

    def __call__(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """A vector for each text; see the embedder for what may go wrong."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._embed(new), strict=True))
        return [self._known[text] for text in texts]


def make_embedder(named: str, endpoint: Callable[[str], Endpoint]) -> Embed | None:
    """Return the embedder that a setting names; None if it names none.

    Args:
        named: ``sentence:MODEL``, ``endpoint:MODEL``, or empty.
        endpoint: makes the server's address for a model.

    Raises:
        ForetreeError: there is no such embedder.
    """
    kind, _, model = named.strip().partition(":")
    if not named.strip():
        return None
    if kind == LOCAL and model:
        return RememberedEmbeddings(SentenceEmbedder(model))
    if kind == SERVED and model:
        return RememberedEmbeddings(ServedEmbedder(endpoint(model)))
    raise EmbedderError(
        f"{quote(named)} is no embedder. Write sentence:MODEL for a model of sentence-transformers on this "
        "machine, or endpoint:MODEL for one of the model server."
    )


def _checked(vectors: list[list[float]], texts: Sequence[str], name: str) -> list[list[float]]:
    if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) > 1:
        raise EmbedderError(f"The sentence model {quote(name)} gives no vector for each text.")
    return vectors
