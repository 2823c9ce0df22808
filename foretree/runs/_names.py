"""Run ids: short, readable, sorted by time, unique."""

from __future__ import annotations

import re
import secrets
import time
import unicodedata

#: What a user may call a run.
VALID_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

#: Letters and digits that cannot be taken for one another.
_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"

_LONGEST_WORD = 16

_EMPTY = """
the and all any two into onto from with under some every for please bring give get fetch put place move take
pick open close turn off switch wash heat cool slice cut fill pour clean exists forall not when
"""

#: Words that say nothing about what this run is about.
_EMPTY_WORDS = frozenset(_EMPTY.split())


def new_run_id(instruction: str, moment: float) -> str:
    """An id such as ``20261120-101502-mango-k3f`` for a run of *instruction* that starts at *moment*.

    The time is UTC, so that ids sort by it even when the clocks change.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(moment))
    tail = "".join(secrets.choice(_ALPHABET) for _ in range(3))
    return f"{stamp}-{topic(instruction)}-{tail}"


def topic(instruction: str) -> str:
    """The first word of *instruction* that tells it from others; ``run`` if there is none."""
    plain = unicodedata.normalize("NFKD", instruction.lower()).encode("ascii", "ignore").decode("ascii")
    words = re.findall(r"[a-z][a-z0-9]*", plain)
    telling = (word for word in words if len(word) > 2 and word not in _EMPTY_WORDS)
    return next(telling, "run")[:_LONGEST_WORD]
