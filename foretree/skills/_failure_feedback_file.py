"""Reading lessons: what the file of a domain may say of the robot's words for a failure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from foretree.errors import suggest
from foretree.file_errors import FileError, error_at
from foretree.planning.pddl.syntax import Domain
from foretree.schema import Strict
from foretree.skills._failure_feedback import FailureFeedback
from foretree.world_model.beliefs.consequences import read_pattern

#: How a lesson says that something is not so: ``not (open ?place)``.
_NOT = "not "


class FeedbackEntry(Strict):
    """A lesson as the file of a domain has it, over the roles of what the robot is told."""

    said: tuple[str, ...]
    then: str | None = None
    unfit: str | None = None


def read_feedback(
    entries: Sequence[FeedbackEntry], roles: Sequence[str], domain: Domain, path: Path
) -> Iterator[FailureFeedback]:
    """The lessons of a domain, over roles: ``?place``.

    Raises:
        FileError: a lesson names what there is not; with file and line.
    """

    def mistake(index: int, problem: str, *keys: str) -> FileError:
        return error_at(path, ("lessons", index, *keys), problem)

    for index, entry in enumerate(entries):
        if (entry.then is None) == (entry.unfit is None):
            raise mistake(index, "say either what is so (then), or what is not what it seemed (unfit).")
        if entry.unfit is not None:
            if entry.unfit not in roles:
                problem = f"{entry.unfit!r} is no role. {suggest(entry.unfit, roles)}"
                raise mistake(index, problem, "unfit")
            yield FailureFeedback(entry.said, unfit=f"?{entry.unfit}")
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
        yield FailureFeedback(entry.said, atom, not entry.then.startswith(_NOT))
