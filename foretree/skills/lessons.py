"""Lessons: what the robot's words for a failure teach.

A robot that cannot do something says why. "There is no room on it" is true until something is taken away, and
"it has no switch" of what was taken for a stove says that it is none: whoever tries the same again is told
the same again. So the file of a domain says under ``lessons`` what such words mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foretree.errors import suggest
from foretree.planning.syntax import Domain
from foretree.schema import FileError, Strict, mistake_at
from foretree.world_model.consequences import read_pattern
from foretree.world_model.facts import Atom

#: How a lesson says that something is not so: ``not (open ?place)``.
_NOT = "not "


@dataclass(frozen=True, slots=True)
class Lesson:
    """What it means when the robot says certain words.

    Attributes:
        said: the words; any of them will do.
        then: what is so: an atom over what the action's arguments are called (``?place``); None if the
            lesson is about what something is.
        holds: whether it is so, or is not.
        unfit: what is not of a class that the action is for, called likewise; empty if nothing is.
    """

    said: tuple[str, ...]
    then: Atom | None = None
    holds: bool = True
    unfit: str = ""

    def is_told_by(self, reason: str) -> bool:
        """Whether the reason for a failure contains the words."""
        return any(words in reason for words in self.said)

    def renamed(self, names: Mapping[str, str]) -> Lesson | None:
        """The same with everything called by other names; None if something has none."""
        used = [*(term for term in (self.then or ())[1:]), *([self.unfit] if self.unfit else [])]
        if any(term not in names for term in used):
            return None
        then = self.then and (self.then[0], *(names[term] for term in self.then[1:]))
        return Lesson(self.said, then, self.holds, names.get(self.unfit, ""))


class LessonEntry(Strict):
    """A lesson as the file of a domain has it, over the roles of what the robot is told."""

    said: tuple[str, ...]
    then: str | None = None
    unfit: str | None = None


def read_lessons(
    entries: Sequence[LessonEntry], roles: Sequence[str], domain: Domain, path: Path
) -> Iterator[Lesson]:
    """The lessons of a domain, over roles: ``?place``.

    Raises:
        FileError: a lesson names what there is not; with file and line.
    """

    def mistake(index: int, problem: str, *keys: str) -> FileError:
        return mistake_at(path, ("lessons", index, *keys), problem)

    for index, entry in enumerate(entries):
        if (entry.then is None) == (entry.unfit is None):
            raise mistake(index, "say either what is so (then), or what is not what it seemed (unfit).")
        if entry.unfit is not None:
            if entry.unfit not in roles:
                problem = f"{entry.unfit!r} is no role. {suggest(entry.unfit, roles)}"
                raise mistake(index, problem, "unfit")
            yield Lesson(entry.said, unfit=f"?{entry.unfit}")
            continue
        assert entry.then is not None
        atom = read_pattern(entry.then.removeprefix(_NOT))
        if atom is None:
            problem = f"write (full ?place) or not (open ?place), not {entry.then!r}."
            raise mistake(index, problem, "then")
        if len(domain.predicates.get(atom[0], ())) != len(atom) - 1:
            problem = f"{domain.name} has no predicate {atom[0]!r} of {len(atom) - 1} things."
            raise mistake(index, f"{problem} {suggest(atom[0], domain.predicates)}", "then")
        for term in atom[1:]:
            if term.removeprefix("?") not in roles:
                problem = f"{term!r} is no role. {suggest(term.removeprefix('?'), roles)}"
                raise mistake(index, problem, "then")
        yield Lesson(entry.said, atom, not entry.then.startswith(_NOT))
