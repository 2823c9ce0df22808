"""The codes that ``foretree`` exits with."""

from __future__ import annotations

#: What ``foretree`` exits with.
EXIT_CODES = {
    0: "done: the goal was reached, or the command did what it was asked",
    1: "the run ended without reaching its goal (given up or failed); there is no plan; `compare` found a "
    "difference",
    2: "a command, an instruction, a goal or a file was not understood; nothing has moved, and no run is "
    "recorded",
    3: "a run cannot be found, read or written, or was interrupted; the output cannot be written; there is "
    "too little memory",
    4: "the robot cannot be talked to, or was told something it does not offer",
    70: "a fault in Foretree itself, or in a node of the user's; `--debug` shows where",
    130: "interrupted by Ctrl-C, stopped from another terminal, or not allowed to go on",
}

#: The exit code for each way a run can end.
OUTCOME_CODES = {"reached": 0, "given-up": 1, "failed": 1, "cancelled": 130, "error": 70}

UNREADABLE = 3
FAULT = 70
INTERRUPTED = 130
