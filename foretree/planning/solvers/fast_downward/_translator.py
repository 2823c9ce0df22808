"""Fast Downward's translator, run as a program of its own: it grounds what is too much for our own grounding.

Like the search it is GPL software that stays behind a process boundary: it reads PDDL files and writes a
text, and nothing of it is imported or linked here. It knows axioms, so recursive derived predicates are its
business too. Starting it takes a tenth of a second of the processor, which is why it comes second.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from foretree.children import LimitedProgram
from foretree.planning.pddl.syntax import Count, PlanStep, Problem, conditions_of, walk
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.planning.solvers.base import SolverError
from foretree.planning.solvers.fast_downward._search_binary import output_of

#: Seconds of the processor after which the translator is stopped. It cannot count its work, so this limit is
#: one of the clock.
TRANSLATOR_SECONDS = 120

_OPERATOR = re.compile(rb"(?<=\nbegin_operator\n).*(?=\n)")
#: An effect line begins with the number of its conditions; with any, it has seven numbers at least.
_CONDITIONAL = re.compile(rb"\n[1-9][0-9]* [0-9]+ [0-9]+ [0-9]+ -?[0-9]+ [0-9]+[ \n]")
_UNSOLVABLE = b"unsolvable task"
_MOST_SAID = 2000
#: What the translator exits with when it is out of memory or of time.
_MEMORY, _PROCESSOR = 20, 21


class TranslatorLimitError(Exception):
    """The translator was stopped; the argument says by what: processor or memory."""


@dataclass(frozen=True)
class TranslatedTask:
    """A task as the translator wrote it, its operators named by their numbers.

    Attributes:
        text: the task; empty if it is certain that there is no plan.
        actions: the action that each operator stands for.
        conditional: whether some effect depends on more than its operator's precondition.
        axioms: whether something is derived.
    """

    text: bytes
    actions: tuple[PlanStep, ...]
    conditional: bool
    axioms: bool

    begins = chooses = False

    @property
    def arranged_text(self) -> bytes:
        """The text: it is in the order in which the first plan is found best."""
        return self.text

    @property
    def operators(self) -> int:
        """The number of operators."""
        return len(self.actions)

    def steps(self, operators: Iterable[int]) -> tuple[PlanStep, ...]:
        """The actions that a plan stands for."""
        return tuple(self.actions[number] for number in operators)


def find_translator(binary: str) -> tuple[tuple[str, ...], Mapping[str, str]] | None:
    """The command that starts the translator of the build that *binary* is from, and what it adds to the
    environment; None if there is none."""
    folder = Path(binary).parent
    if (folder / "fast_downward" / "translate" / "__main__.py").is_file():
        return (sys.executable, "-m", "fast_downward.translate"), {"PYTHONPATH": str(folder)}
    script = folder / "translate" / "translate.py"
    return ((sys.executable, str(script)), {}) if script.is_file() else None


def can_translate(problem: Problem) -> bool:
    """Tell whether the translator can read *problem*: it knows no counts, and no case in names."""
    domain = problem.domain
    names = Counter(map(str.lower, (*problem.objects, *(constant.name for constant in domain.constants))))
    operators = Counter(map(str.lower, domain.operators))
    formulas = (problem.goal, *conditions_of(domain))
    counts = any(isinstance(part, Count) for formula in formulas for part in walk(formula))
    return not counts and max((*names.values(), *operators.values()), default=0) <= 1


def translate(
    binary: str, problem: Problem, deadline: float, watch: int, interrupted: Callable[[], bool]
) -> TranslatedTask:
    """Have *problem*, which the translator can read, translated.

    Args:
        binary: the search binary; the translator lies beside it.
        deadline: when to give up, by ``time.monotonic``.
        watch: a file descriptor; whenever it can be read, *interrupted* is asked whether to stop.

    Raises:
        TranslatorLimitError: it took too much.
        TooLateError: the deadline has passed.
        InterruptedSearchError: *interrupted* said so.
        SolverError: there is no translator, or it broke.
    """
    found = find_translator(binary)
    if found is None:
        raise SolverError(f"There is no translator beside {binary}.")
    command, environment = found
    with tempfile.TemporaryDirectory(prefix="foretree-") as made:
        folder = Path(made)
        files = folder / "domain.pddl", folder / "problem.pddl"
        files[0].write_text(write_domain(problem.domain), encoding="utf-8")
        files[1].write_text(write_problem(problem), encoding="utf-8")
        output = folder / "output.sas"
        process = LimitedProgram(
            [*command, *map(str, files), "--sas-file", str(output)],
            TRANSLATOR_SECONDS,
            stdin=subprocess.DEVNULL,
            folder=folder,
            environment={**os.environ, **environment},
        )
        said = b""
        try:
            for chunk in output_of(process, b"", deadline, watch, interrupted):
                said = (said + chunk)[-4 * _MOST_SAID :]
            process.wait()
        finally:
            process.end()
        if process.returncode == _MEMORY:
            raise TranslatorLimitError("memory")
        if process.returncode == _PROCESSOR or process.returncode < 0:
            raise TranslatorLimitError("processor")
        if process.returncode not in (0, 10):
            raise SolverError(
                f"Fast Downward's translator failed with exit code {process.returncode}: "
                f"{said.decode(errors='replace').strip()[-_MOST_SAID:]}"
            )
        if _UNSOLVABLE in said or process.returncode == 10:
            return TranslatedTask(b"", (), False, False)
        return _read(output.read_bytes(), problem)


def _read(text: bytes, problem: Problem) -> TranslatedTask:
    """Number the operators, and find out what a search has to know of the task."""
    operators = _by_lower(problem.domain.operators)
    objects = _by_lower((*problem.objects, *(constant.name for constant in problem.domain.constants)))
    steps: list[PlanStep] = []

    def number(match: re.Match[bytes]) -> bytes:
        name, *arguments = match[0].decode().split()
        steps.append((operators[name], tuple(objects[argument] for argument in arguments)))
        return str(len(steps) - 1).encode()

    numbered = _OPERATOR.sub(number, text)
    rest = numbered.rpartition(b"end_operator\n")[2]
    axioms = int(rest.split(b"\n", 1)[0] or b"0") if steps else b"begin_rule" in numbered
    return TranslatedTask(numbered, tuple(steps), _CONDITIONAL.search(numbered) is not None, bool(axioms))


def _by_lower(names: Iterable[str]) -> dict[str, str]:
    return {name.lower(): name for name in names}
