"""Where a file says that a thing is: ``on``, ``in``, ``under`` or ``hung_on`` something, one of these."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from foretree.file_errors import KeyPath, error_at
from foretree.schema import Strict
from foretree.simulation.household.scene import RELATIONS


class Placed(Strict):
    """What rests somewhere."""

    on: str | None = None
    in_: str | None = Field(default=None, alias="in")
    under: str | None = None
    hung_on: str | None = None

    def placement(self, path: Path, location: KeyPath) -> tuple[str, str]:
        """How it rests, and where.

        Args:
            path: the file that says so.
            location: where in it.

        Raises:
            FileError: it does not say so, or says it twice.
        """
        said = {"on": self.on, "in": self.in_, "under": self.under, "hung_on": self.hung_on}
        given = [(relation, place) for relation, place in said.items() if place is not None]
        if len(given) != 1:
            raise error_at(path, location, f"say where it is with exactly one of {', '.join(RELATIONS)}.")
        return given[0]
