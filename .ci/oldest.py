"""Print a pip constraint for each dependency of Foretree: the oldest version that pyproject.toml admits."""

from __future__ import annotations

from importlib.metadata import requires

from packaging.requirements import Requirement

for text in requires("foretree") or ():
    requirement = Requirement(text)
    if requirement.marker is not None:
        continue  # an extra: it may be as new as it likes
    oldest = [limit.version for limit in requirement.specifier if limit.operator in (">=", "==")]
    print(f"{requirement.name}=={oldest[0]}")
