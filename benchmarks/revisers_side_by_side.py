"""The same situations before the rules and before a language model, side by side.

The situations are those of ``bench_revisions.py``: tasks in the flat, disturbed at several moments. Answers
of the model come from a file (an answer book, see docs/models.md). With ``--record``, the server of
FORETREE_LLM_URL is asked for those that are not in it yet. Without a file, the scripted model answers.

    python benchmarks/revisers_side_by_side.py
    python benchmarks/revisers_side_by_side.py --answers answers.jsonl --record
    python benchmarks/revisers_side_by_side.py --answers answers.jsonl --format triplets
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_revisions import MOMENTS, TASKS, Flat

from foretree.clock import SimulatedClock
from foretree.errors import ForetreeError
from foretree.reasoning.models.endpoint import Endpoint, ServedModel
from foretree.reasoning.models.model import Model
from foretree.reasoning.models.record_replay import AnswerBook, RecordingModel, ReplayedModel
from foretree.regression.language.scripted_model import MODEL, scripted_server
from foretree.revision.llm.choices import NOTATIONS, Notation
from foretree.revision.llm.reviser import LlmOptions, LlmReviser
from foretree.revision.revision import NoRevisionError, Reviser, Revision, RevisionRequest
from foretree.revision.rules.reviser import RuleReviser

#: Of a plan, so many characters are shown.
_SHOWN = 100


class Catcher:
    """A reviser that keeps what it is asked, and has nothing to offer."""

    name = "catcher"
    time_out = 1.0

    def __init__(self) -> None:
        self.request: RevisionRequest | None = None

    def propose(self, request: RevisionRequest) -> Revision:
        self.request = self.request or request
        raise NoRevisionError("it only looks on")


@dataclass(frozen=True)
class Outcome:
    """The rest of a plan that a reviser has in mind, what it costs; or why there is none."""

    steps: tuple[str, ...] = ()
    cost: int = 0
    refusal: str = ""

    def told(self) -> str:
        """The outcome on one line."""
        if self.refusal:
            return f"none: {' '.join(self.refusal.split())}"[:_SHOWN]
        told = ", ".join(self.steps) or "nothing is left to do"
        return f"[{self.cost}] {told[:_SHOWN]}{'…' if len(told) > _SHOWN else ''}"


def situations(flat: Flat) -> Iterator[tuple[str, RevisionRequest]]:
    """Each situation in which something has to be revised, and what it is."""
    names = (
        (goal, disturbance, moment)
        for goal, lines in TASKS.items()
        for disturbance in lines
        for moment in MOMENTS
    )
    for goal, disturbance, moment in names:
        plan, catcher = flat.plan(goal), Catcher()
        done = int(moment * len(plan.actions))
        case = flat.case(plan, disturbance, done, lambda context, catcher=catcher: catcher)
        case.revise()
        if catcher.request is not None:
            yield f"{goal} | after {done}: {disturbance}", catcher.request


def outcome(reviser: Reviser, request: RevisionRequest, clock: SimulatedClock) -> Outcome:
    """The outcome of asking a reviser; a rest that does not reach the goal counts as none."""
    try:
        offer = reviser.propose(request)
        if not isinstance(offer, Revision):
            while not offer.ready():
                clock.sleep_until(clock.now() + 0.1)
            offer = offer.result()
    except NoRevisionError as error:
        return Outcome(refusal=str(error))
    task = request.task
    ground = [task.ground(action) for action in offer.actions]
    state = set(task.state(request.beliefs))
    for action in request.running:
        task.carry_out(state, task.ground(action))
    wrong = task.reaches(state, ground, request.goal)
    if wrong is not None:
        return Outcome(refusal=f"wrong: {wrong}")
    return Outcome(tuple(map(str, offer.actions)), sum(action.cost for action in ground))


def compare(model: Model, notation: Notation, limit: int | None) -> Counter[str]:
    """Print every situation with both outcomes; return how many there are of each kind."""
    flat, clock = Flat(), SimulatedClock()
    options, catalogue = LlmOptions(notation=notation), flat.catalogue
    asked = LlmReviser(model, clock, catalogue.skills, options=options, ontology=catalogue.ontology)
    counts: Counter[str] = Counter()
    for told, request in islice(situations(flat), limit):
        by_rule = outcome(RuleReviser(), request, clock)
        by_model = outcome(asked, request, clock)
        kind = _kind(by_rule, by_model)
        counts[kind] += 1
        print(f"{told}\n  {request.discrepancies[0].sentence}")
        print(f"  rules: {by_rule.told()}\n  model: {by_model.told()}\n  {kind}")
    return counts


def _kind(by_rule: Outcome, by_model: Outcome) -> str:
    if by_rule.refusal or by_model.refusal:
        if by_rule.refusal and by_model.refusal:
            return "neither has a plan"
        return f"only the {'rules have' if by_model.refusal else 'model has'} a plan"
    if by_rule.steps == by_model.steps:
        return "the same plan"
    difference = by_model.cost - by_rule.cost
    price = "as cheap" if difference == 0 else "cheaper" if difference < 0 else "dearer"
    return f"different plans, the model's {price}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print how often which of the two has a plan."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=Path, help="an answer book, a file of questions and replies")
    parser.add_argument(
        "--record", action="store_true", help="ask a server what is not in the answer book yet"
    )
    parser.add_argument("--format", choices=NOTATIONS, default="tuples", help="how steps are written")
    parser.add_argument("--limit", type=int, help="so many situations only")
    wanted = parser.parse_args(arguments)
    if wanted.record and wanted.answers is None:
        parser.error("--record needs --answers: the file that the replies are written to")
    with ExitStack() as stack:
        if wanted.record:
            model: Model = RecordingModel(
                ServedModel(Endpoint.from_environment()), AnswerBook(wanted.answers)
            )
        elif wanted.answers is not None:
            book = AnswerBook(wanted.answers)
            model = ReplayedModel(book.model(), book)
        else:
            url = stack.enter_context(scripted_server())
            folder = stack.enter_context(TemporaryDirectory())
            model = RecordingModel(
                ServedModel(Endpoint(url, MODEL)), AnswerBook(Path(folder) / "answers.jsonl")
            )
        counts = compare(model, wanted.format, wanted.limit)
    print(f"\n{counts.total()} situations, {wanted.format}:")
    for kind, count in counts.most_common():
        print(f"{count:5d}  {kind}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ForetreeError as error:
        sys.exit(f"Error: {error}")
