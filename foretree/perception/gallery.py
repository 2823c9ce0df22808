"""Gallery of labelled pictures: crops that look like them are in the same states.

A crop is compared with the pictures of its class (of a class without any, with all), by the cosine of the
angle between their descriptors. The nearest ones vote for each state, the more similar ones with more weight.
What looks like nothing in the gallery is not judged at all.

A gallery begins with the pictures that come with Foretree, and grows with what turned out to be so. It stays
as it is while it is frozen, so that the runs of a suite do not depend on their order.
"""

from __future__ import annotations

import logging
import os
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from foretree.config import data_directory
from foretree.errors import ForetreeError
from foretree.locking import locked
from foretree.perception.descriptors import Crops, Describer, Descriptors
from foretree.perception.frame import CROP
from foretree.schema import Strict

_LOG = logging.getLogger(__name__)

#: For each picture and state 1 if it shows it, 0 if it does not, and NOT_SAID.
Shown: TypeAlias = NDArray[np.int8]
NOT_SAID = -1
#: A crop, its class, and the states that are known of it.
_Row: TypeAlias = tuple[Crops, str, Mapping[str, bool]]
#: So many crops are remembered with what they showed.
_REMEMBERED = 4096
#: Two pictures that are as similar as this and say the same: one is enough.
_SAME = 0.999


class GalleryError(ForetreeError):
    """A file of labelled pictures that cannot be read or written."""


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """Labelled crops.

    Attributes:
        crops: n x CROP x CROP x 3.
        class_names: of each crop.
        states: the names of all states.
        shown: n x states.
    """

    crops: Crops
    class_names: tuple[str, ...]
    states: tuple[str, ...]
    shown: Shown

    @classmethod
    def of(cls, rows: Sequence[_Row]) -> Pictures:
        """Pictures from rows of a crop, its class, and the states that are known of it."""
        states = tuple(sorted({name for _, _, said in rows for name in said}))
        column = {name: number for number, name in enumerate(states)}
        shown: Shown = np.full((len(rows), len(states)), NOT_SAID, dtype=np.int8)
        for number, (_, _, said) in enumerate(rows):
            for name, value in said.items():
                shown[number, column[name]] = value
        crops = np.zeros((len(rows), CROP, CROP, 3), dtype=np.uint8)
        for number, (crop, _, _) in enumerate(rows):
            crops[number] = crop
        return cls(crops, tuple(name for _, name, _ in rows), states, shown)

    def rows(self) -> list[_Row]:
        """The rows that :meth:`of` makes pictures from."""
        return [
            (crop, name, {s: bool(v) for s, v in zip(self.states, said, strict=True) if v != NOT_SAID})
            for crop, name, said in zip(self.crops, self.class_names, self.shown.tolist(), strict=True)
        ]


def load_pictures(path: Path) -> Pictures:
    """The pictures in a file that :func:`save_pictures` wrote; the same ones until that changes.

    Raises:
        GalleryError: it is missing, or holds something else.
    """
    try:
        status = path.stat()
    except OSError:
        raise GalleryError(f"There is no gallery at {path}.") from None
    return _load_pictures(path, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=2)
def _load_pictures(path: Path, _: tuple[int, int]) -> Pictures:
    """The pictures in a file that :func:`save_pictures` wrote.

    Raises:
        GalleryError: it is missing, or holds something else.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            crops, shown = file["crops"], file["shown"]
            class_names, states = file["classes"].tolist(), file["states"].tolist()
    except FileNotFoundError:
        raise GalleryError(f"There is no gallery at {path}.") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        reason = str(error).partition("\n")[0].strip("'.")
        raise GalleryError(f"{path} is not a gallery of pictures: {reason}.") from error
    fits = (
        crops.dtype == np.uint8
        and crops.shape[1:] == (CROP, CROP, 3)
        and shown.dtype == np.int8
        and shown.shape == (len(crops), len(states))
        and len(class_names) == len(crops)
        and bool(np.isin(shown, (NOT_SAID, 0, 1)).all())
    )
    if not fits:
        raise GalleryError(f"{path} is not a gallery of pictures: its arrays do not fit together.")
    return Pictures(crops, tuple(map(str, class_names)), tuple(map(str, states)), shown)


def save_pictures(path: Path, pictures: Pictures) -> None:
    """Write pictures to a file; all of them or none.

    Raises:
        GalleryError: it cannot be written.
    """
    unready = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unready.open("wb") as file:
            np.savez_compressed(
                file,
                crops=pictures.crops,
                classes=np.array(pictures.class_names, dtype=np.str_),
                states=np.array(pictures.states, dtype=np.str_),
                shown=pictures.shown,
            )
        unready.replace(path)
    except OSError as error:
        with suppress(OSError):
            unready.unlink(missing_ok=True)
        raise GalleryError(f"Cannot write {path}: {error.strerror}.") from error


@lru_cache(maxsize=2)
def _rows(pictures: Pictures) -> list[_Row]:
    return pictures.rows()


@lru_cache(maxsize=2)
def _tidied(pictures: Pictures) -> Pictures:
    """*pictures* without states of which none of them says anything."""
    return Pictures.of(_rows(pictures))


@lru_cache(maxsize=2)
def _described(pictures: Pictures, describer: Describer) -> Descriptors:
    return describer.describe(pictures.crops)


def own_gallery_path() -> Path:
    """The file in Foretree's home folder in which an agent keeps the pictures that it has taken."""
    return data_directory() / "gallery.npz"


class Judging(Strict):
    """Voting of the pictures of a gallery.

    Attributes:
        neighbours: the number of most similar pictures that have a vote.
        temperature: the loss of similarity that lowers a vote by a factor of e.
        known: what is less similar than this to every picture is not judged.
        doubt: how strong the vote for neither side is, measured by that of the most similar picture.
    """

    neighbours: Annotated[int, Field(ge=1)]
    temperature: Annotated[float, Field(gt=0)]
    known: Annotated[float, Field(ge=-1, le=1)]
    doubt: Annotated[float, Field(ge=0, le=1)]


class Gallery:
    """Labelled pictures that judge the states of others.

    Args:
        given: pictures that it begins with and never forgets.
        describer: what compares pictures.
        judging: how they vote.
        own: where to keep what it learns; it is read if it is there. None: nowhere.
        limit: the largest number of pictures that it learns; the oldest make room.
        frozen: whether it stays as it is.

    Attributes:
        states: the states that its pictures are labelled with.
    """

    def __init__(
        self,
        given: Pictures,
        describer: Describer,
        judging: Judging,
        *,
        own: Path | None = None,
        limit: int = 512,
        frozen: bool = False,
    ) -> None:
        self.describer = describer
        self._first = given
        self.judging = judging
        self.frozen = frozen
        self._given = _rows(given)
        self._learned: list[_Row] = []
        self._unsaved: list[_Row] = []
        self._own, self._limit = own, limit
        self._read: dict[tuple[str, bytes], dict[str, float]] = {}
        if own is not None and own.exists():
            self._learned = self._read_own(own)[-limit:]
        self._index(None)

    def __len__(self) -> int:
        return len(self._everything)

    # -- judging -----------------------------------------------------------------------------------
    def read(self, crops: Crops, class_names: Sequence[str]) -> list[Mapping[str, float]]:
        """For each crop, the probability of each state that its class can be in.

        The very same crop of the same class is judged once: looking again without moving shows it again.

        Args:
            crops: what was seen.
            class_names: what it most likely is.
        """
        asked = [(name, crop.tobytes()) for name, crop in zip(class_names, crops, strict=True)]
        new = [number for number, one in enumerate(asked) if one not in self._read]
        if len(self._read) + len(new) > _REMEMBERED:
            self._read.clear()
            new = list(range(len(asked)))
        if new:
            judged = self.judge(self.describer.describe(crops[new]), [class_names[number] for number in new])
            self._read.update(zip((asked[number] for number in new), judged, strict=True))
        return [self._read[one] for one in asked]

    def judge(self, descriptors: Descriptors, class_names: Sequence[str]) -> list[dict[str, float]]:
        """For each crop, the probability of each state that its class can be in.

        Args:
            descriptors: of the crops.
            class_names: what they most likely are.
        """
        if not len(self):
            return [{} for _ in class_names]
        how = self.judging
        everything = self._everything, self._descriptors
        compared = [self._of_class.get(name, everything) for name in class_names]
        longest = max((len(pictures) for pictures, _ in compared), default=0)
        alike = np.full((len(compared), longest), -np.inf, dtype=np.float32)
        which = np.zeros((len(compared), longest), dtype=np.intp)
        for number, (pictures, their_descriptors) in enumerate(compared):
            alike[number, : len(pictures)] = their_descriptors @ descriptors[number]
            which[number, : len(pictures)] = pictures
        if longest > how.neighbours:
            nearest = np.argpartition(-alike, how.neighbours - 1, axis=1)[:, : how.neighbours]
            row = np.arange(len(compared))[:, None]
            alike, which = alike[row, nearest], which[row, nearest]
        best = alike.max(axis=1, initial=-np.inf)
        weight = np.exp((alike - best[:, None]) / how.temperature)
        yes = np.einsum("ij,ijk->ik", weight, self._yes[which])
        no = np.einsum("ij,ijk->ik", weight, self._no[which])
        share = (yes + how.doubt / 2) / (yes + no + how.doubt)
        said = (yes + no > 0.5 * weight.sum(axis=1, keepdims=True)) & (best > how.known)[:, None]
        return [
            {self.states[column]: float(share[row, column]) for column in np.flatnonzero(said[row]).tolist()}
            for row in range(len(compared))
        ]

    # -- learning ----------------------------------------------------------------------------------
    def confirm(self, crop: Crops, class_name: str, states: Mapping[str, bool]) -> bool:
        """Learn a labelled crop; return whether there was anything to learn from it.

        Args:
            crop: what was seen.
            class_name: what it turned out to be.
            states: what is now known of it. Of other states, the picture says nothing.
        """
        if self.frozen or not states:
            return False
        descriptor = self.describer.describe(crop[None])
        if self._is_known(descriptor, class_name, states):
            return False
        row = (crop.copy(), class_name, dict(states))
        self._learned.append(row)
        self._unsaved.append(row)
        del self._learned[: -self._limit]
        self._index(descriptor)
        return True

    def save(self) -> None:
        """Save what was learned, beside what other runs have saved in the meantime.

        Raises:
            GalleryError: it cannot be written; what was learned is not forgotten.
        """
        if self._own is None or self.frozen or not self._unsaved:
            return
        try:
            self._own.parent.mkdir(parents=True, exist_ok=True)
            with locked(self._own):
                kept = self._read_own(self._own) if self._own.exists() else []
                save_pictures(self._own, Pictures.of([*kept, *self._unsaved][-self._limit :]))
        except OSError as error:
            raise GalleryError(f"Cannot write {self._own}: {error.strerror}.") from error
        self._unsaved = []

    def _is_known(self, descriptor: Descriptors, class_name: str, states: Mapping[str, bool]) -> bool:
        alike = np.flatnonzero((self._descriptors @ descriptor[0]) > _SAME)
        rows = [*self._given, *self._learned]
        return any(
            rows[number][1] == class_name and states.items() <= rows[number][2].items()
            for number in alike.tolist()
        )

    def _index(self, newest: Descriptors | None) -> None:
        """Lay out all pictures for comparing; of *newest*, if it is known, the last one's descriptor."""
        pictures = Pictures.of([*self._given, *self._learned]) if self._learned else _tidied(self._first)
        if newest is None and not self._learned:
            self._descriptors = _described(self._first, self.describer)
        elif newest is None:
            self._descriptors = self.describer.describe(pictures.crops)
        else:
            kept = len(self._learned) - 1
            given = self._descriptors[: len(self._given)]
            learned = self._descriptors[len(self._given) :]
            self._descriptors = np.concatenate((given, learned[len(learned) - kept :], newest))
        self.states = pictures.states
        self._everything = np.arange(len(pictures.class_names))
        by_class: dict[str, list[int]] = {}
        for number, name in enumerate(pictures.class_names):
            by_class.setdefault(name, []).append(number)
        self._of_class = {
            name: (np.array(numbers, dtype=np.intp), self._descriptors[numbers])
            for name, numbers in by_class.items()
        }
        self._read.clear()
        self._yes = (pictures.shown == 1).astype(np.float32)
        self._no = (pictures.shown == 0).astype(np.float32)

    def _read_own(self, own: Path) -> list[_Row]:
        try:
            return load_pictures(own).rows()
        except GalleryError as error:
            # What was learned can be learned again; a run must not fail for it.
            aside = own.with_suffix(".broken")
            if not self.frozen:
                with suppress(OSError):
                    own.replace(aside)
            _LOG.warning("%s It is left aside, and learned anew.", error)
            return []
