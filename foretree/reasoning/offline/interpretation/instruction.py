"""Reading of a whole instruction: its statements one after the other, and the goal of them all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from foretree.planning.constraints.constraints import Constraint
from foretree.planning.pddl.syntax import TRUE, Formula
from foretree.planning.semantics.evaluation import disjunction
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NotUnderstoodError,
    UnreadWordsError,
)
from foretree.reasoning.offline.grammar.clauses import Pattern
from foretree.reasoning.offline.grammar.goal_assembly import PartialGoal, assemble_goal
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.interpretation._conditions import ConditionReader, JudgedCondition
from foretree.reasoning.offline.interpretation._conditions import put_plainly as plain_condition
from foretree.reasoning.offline.interpretation._explanation import Explanation
from foretree.reasoning.offline.interpretation._former_places import FormerPlaceReader
from foretree.reasoning.offline.interpretation._limits import LimitReader, kept
from foretree.reasoning.offline.interpretation._on_the_way import WayFinder
from foretree.reasoning.offline.interpretation._orders import OrderReader
from foretree.reasoning.offline.interpretation._progress import (
    Progress,
    ReadCommand,
    ResolvedClause,
    SettledRequest,
    first_that_reads,
)
from foretree.reasoning.offline.interpretation.addressed import handed_only
from foretree.reasoning.offline.interpretation.clause_reader import ClauseReader, quoted
from foretree.reasoning.offline.lexicon import (
    DEFINITE,
    INDEFINITE,
    NUMBERS,
    WANT,
    skip_fillers,
    tokens_of,
    trimmed,
)
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.mentions import things_named, things_sought
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.offline.phrases.words.scene_words import scene_words
from foretree.reasoning.offline.sentences.courtesies import load_courtesies
from foretree.reasoning.offline.sentences.moments import placed_words
from foretree.reasoning.offline.sentences.prohibitions import Words
from foretree.reasoning.offline.sentences.rewording.shared_parts import wishes_for_each, with_verb_repeated
from foretree.reasoning.offline.sentences.rewording.wording import put_plainly, resting_on_it
from foretree.reasoning.offline.sentences.statements import Statement, statements_of
from foretree.reasoning.reasoner import Situation, Understanding

#: Longer instructions are refused: the number of ways to read one grows with its length.
MOST_WORDS = 80
#: What means something that no word says: less than nothing, a part, an amount of money.
SIGN = re.compile(r"(?:^|\s)[-−+]\s?\d+|\d+\s?[%‰]|[%$€£<>=^~|{}*\\]")
#: Numbers of steps: "1. open the fridge 2. take the milk".
_STEP = re.compile(r"(?:^|\s)(?:\(?\d{1,2}[.)]|step\s+\w+\s*[:.,])(?=\s)", re.IGNORECASE)
#: Pronouns by which a request goes back to a thing that is named before it.
_ANAPHORS = frozenset({"it", "them", "one"})
#: They open another case within a request, which is to be carried out where the first does not hold.
_FURTHER_CASES = frozenset({"if", "otherwise", "else", "unless", "anyway", "regardless"})
_NOTHING_SAID = 'Nothing was said. Say for example "put the mug on the table".'


class StatementReader:
    """Reads one instruction in one situation."""

    def __init__(
        self,
        instruction: str,
        situation: Situation,
        grammar: Grammar,
        spoken_of: Discourse = (),
        statements: Sequence[Statement] | None = None,
    ) -> None:
        self._instruction = instruction
        self._statements = statements
        self._situation = situation
        self._grammar = grammar
        self._conditions = ConditionReader(situation, grammar)
        self._limits = LimitReader(situation, grammar)
        self._around = ReferentResolver(situation).around
        self._ways = WayFinder(situation)
        self._orders = OrderReader(situation, self._assembled)
        self._nouns = scene_words(situation).known
        self._spoken_of = spoken_of
        self._difficulty: InstructionError | None = None
        #: The statement that the difficulty is about.
        self._reached = -1

    def understanding(self) -> Understanding:
        """Return the goal of the instruction.

        Raises:
            InstructionError: it has none.
        """
        if sign := SIGN.search(self._instruction):
            raise NotUnderstoodError(f"I do not understand {quoted(sign.group().strip())}. Say it in words.")
        plain = tokens_of(_STEP.sub(". then ", self._instruction))
        tokens = placed_words(plain, self._situation, self._grammar.verbs)
        words = [token for token in tokens if token not in (",", ";", ".")]
        if not words:
            raise NotUnderstoodError(_NOTHING_SAID)
        if len(words) > MOST_WORDS:
            raise NotUnderstoodError(
                f"The instruction has {len(words)} words; I read at most {MOST_WORDS}. Say less at once."
            )
        statements = self._statements
        if statements is None:
            statements = statements_of(load_courtesies().without(tokens), self._grammar.verbs)
        for progress in self._readings(statements, Progress(discourse=self._spoken_of), 0):
            try:
                goal, order, notes = self._orders.goal([*self._lasting(progress)], tokens)
            except InstructionError as error:
                self._fail(len(statements), error)
                continue
            sentence = ", then ".join(self._sentences(progress))
            return Understanding(
                goal,
                "; ".join((sentence, *progress.notes, *notes)),
                progress.wanted,
                constraints=tuple(dict.fromkeys((*progress.constraints, *self._kept(progress), *order))),
                spoken_of=self._known(progress) or self._spoken_of,
            )
        raise self._difficulty or NotUnderstoodError(_NOTHING_SAID)

    def _known(self, progress: Progress) -> Discourse:
        """Return the known things that the instruction itself has spoken of."""
        said = progress.discourse[len(self._spoken_of) :]
        return tuple(group for group in said if all(one.quantifier is None for one in group))

    def _goal(self, progress: Progress) -> Formula:
        return self._assembled([parts for _, parts in self._lasting(progress)])

    def _assembled(self, commands: Sequence[Sequence[PartialGoal]]) -> Formula:
        return assemble_goal(commands, self._situation.beliefs.vocabulary, self._around)

    def _sentences(self, progress: Progress) -> Iterator[str]:
        """Yield the commands in words."""
        for command, parts in self._lasting(progress):
            gone = not parts and not self._ways.takes(command.demands())
            yield f"{command.sentence()} on the way" if gone else command.sentence()

    def _lasting(self, progress: Progress) -> Iterator[tuple[ReadCommand, Sequence[PartialGoal]]]:
        """Yield the commands, each with what shall be so in the end."""
        demands = [command.demands() for command in progress.commands]
        for at, command in enumerate(progress.commands):
            yield command, self._ways.lasting(demands[at], demands[at + 1 :], _pattern(command))

    def _kept(self, progress: Progress) -> Iterator[Constraint]:
        """Yield the constraints that some states are kept, and that other things are not dealt with."""
        for command in (one for one in progress.commands if isinstance(one, ResolvedClause)):
            yield from self._limits.contrasts(command)
            goal = self._assembled([command.demands()])
            for found in (handed_only, kept):
                yield from found(command, goal, self._situation)

    def _fail(self, index: int, error: InstructionError) -> None:
        """Keep the first error of the statement that reading came to."""
        if index > self._reached:
            self._reached, self._difficulty = index, error

    def _order(
        self, before: Progress, first: Sequence[ReadCommand], then: Sequence[ReadCommand]
    ) -> Iterator[Constraint]:
        """Yield the constraints that one request is carried out before another."""
        goals = (self._goal(replace(before, commands=tuple(part))) for part in (first, then))
        return self._orders.of_two(*goals)

    # -- statements --------------------------------------------------------------------------------
    def _readings(self, statements: Sequence[Statement], before: Progress, index: int) -> Iterator[Progress]:
        """Yield every way to read the statements from *index* on."""
        if index == len(statements):
            if before.commands:
                yield before
            return
        try:
            for progress in self._statement(statements[index], before):
                yield from self._readings(statements, progress, index + 1)
        except InstructionError as error:
            self._fail(index, error)

    def _statement(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        """Yield every way to read a statement."""
        if statement.sought:
            found = things_sought(statement.sought, self._situation, before.discourse)
            yield replace(before, discourse=(*before.discourse, *found))
            return
        named = things_named(statement.mentioned, self._situation) if statement.mentioned else ()
        if statement.mentioned and (named or not statement.words):
            yield replace(before, discourse=(*before.discourse, *named))
        elif statement.optional:
            yield from self._offered(statement, before)
        elif statement.condition:
            yield from self._conditional(statement, before)
        else:
            yield from self._asked(statement, before)

    def _asked(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        """Yield every way to read a statement whatever its condition is."""
        if statement.other:
            yield from self._ordered(statement, before)
        else:
            yield from self._limited(statement, before)

    def _offered(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        """Yield every way to read what may be a request, or nothing where it is none."""
        try:
            yield from self._statement(replace(statement, optional=False), before)
        except InstructionError:
            said = " ".join(statement.words)
            yield replace(before, notes=(*before.notes, f'nothing else is done about "{said}"'))

    def _limited(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        """Yield every way to read the request of a statement and what it forbids."""
        if not statement.words and not statement.prohibitions:
            raise NotUnderstoodError(_NOTHING_SAID)
        for progress in self._despite(statement, before):
            commands, notes = progress.commands, progress.notes
            constraints = progress.constraints
            if not statement.words:
                commands = (*commands, SettledRequest(TRUE, "do nothing"))
                said = self._limits.mentioned(statement.prohibitions)
                progress = replace(progress, discourse=(*progress.discourse, *said))
            for words in statement.prohibitions:
                limits = self._limits.limits(words, progress)
                if limits.goal is not None:
                    commands = (*commands, SettledRequest(limits.goal, limits.says))
                else:
                    notes = (*notes, *([limits.says] if limits.says else []))
                constraints = (*constraints, *limits.constraints)
            yield replace(progress, commands=commands, notes=notes, constraints=constraints)

    def _despite(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        """Yield every way to read the request of a statement; it may refer to what the statement forbids."""
        if not statement.words:
            yield before
            return
        mentioned = (*before.discourse, *self._limits.mentioned(statement.prohibitions))
        contexts = [
            before,
            *([replace(before, discourse=mentioned)] if mentioned != before.discourse else []),
        ]
        yield from first_that_reads(
            [
                partial(self._request, words, context, not statement.bare)
                for words in (statement.words, *statement.shorter)
                for context in contexts
            ]
        )

    def _conditional(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        """Yield every way to read a statement that has a condition.

        Condition and request are read in the order in which they are said, as long as that makes sense: in
        "close it if the fridge is open" the pronoun comes first.
        """

        def condition_first() -> Iterator[Progress]:
            judged = self._conditions.judge(statement.condition, before)
            begun = replace(before, discourse=judged.discourse, notes=(*before.notes, judged.note))
            if judged.holds is statement.holds:
                return self._asked(statement, begun)
            if judged.doubt:
                return self._unless_idle(statement, begun, judged)
            self._check_read(statement, begun, judged)
            return self._otherwise(statement, begun)

        def request_first() -> Iterator[Progress]:
            for progress in self._asked(statement, before):
                judged = self._conditions.judge(statement.condition, progress)
                notes = (*before.notes, judged.note)
                if judged.holds is statement.holds:
                    yield replace(progress, notes=notes)
                elif self._may_matter(statement, before, progress, judged):
                    yield replace(progress, notes=(*before.notes, judged.doubt))
                else:
                    judged.check_settled(statement, self._added(progress, before))
                    spoken = replace(before, discourse=progress.discourse, notes=notes)
                    yield from self._otherwise(statement, spoken)

        orders = (condition_first, request_first)
        yield from first_that_reads(orders if statement.condition_first else orders[::-1])

    def _check_read(self, statement: Statement, begun: Progress, judged: JudgedCondition) -> None:
        """Check that a request means something although it is not carried out.

        Raises:
            UnreadWordsError: it does not.
            NotUnderstoodError: its condition may be waited for.
        """
        try:
            progress = next(self._asked(statement, begun), None)
        except UnreadWordsError:
            raise
        except InstructionError:
            return  # It may refer to what would be there if the condition held.
        if progress is not None:
            judged.check_settled(statement, self._added(progress, begun))

    def _unless_idle(
        self, statement: Statement, before: Progress, judged: JudgedCondition
    ) -> Iterator[Progress]:
        """Yield every way to read what is to be done if something is so that is not known to be so."""
        for progress in self._asked(statement, before):
            if self._may_matter(statement, before, progress, judged):
                notes = (*before.notes[:-1], judged.doubt, *progress.notes[len(before.notes) :])
                yield replace(progress, notes=notes)
            else:
                judged.check_settled(statement, self._added(progress, before))
                yield from self._otherwise(statement, before)

    def _may_matter(
        self, statement: Statement, before: Progress, progress: Progress, judged: JudgedCondition
    ) -> bool:
        """Return whether a request may have to be carried out, though its condition is taken not to hold.

        "If the microwave is on, turn it off" is done unless the microwave is known to be off.
        """
        if not statement.holds or not judged.doubt or statement.otherwise:
            return False
        return judged.is_undone_by(self._added(progress, before))

    def _added(self, progress: Progress, before: Progress) -> Formula:
        """Return the goal of what *progress* has in addition to what was asked for before."""
        return self._goal(replace(progress, commands=progress.commands[len(before.commands) :]))

    def _otherwise(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        if statement.otherwise:
            yield from self._request(with_verb_repeated(statement.otherwise, statement.words), before)
        elif _FURTHER_CASES & {*statement.words}:
            raise NotUnderstoodError(
                f'"{" ".join(statement.words)}" is for several cases. Say one at a time.'
            )
        else:
            yield replace(before, commands=(*before.commands, SettledRequest(TRUE, "do nothing")))

    def _ordered(self, statement: Statement, before: Progress) -> Iterator[Progress]:
        """Yield every way to read two requests of which one must come before the other."""
        other = tuple(plain_condition(statement.other))
        said = (other, statement.words) if statement.other_said_first else (statement.words, other)

        def in_order(one: int) -> Iterator[Progress]:
            for first in self._request(said[one], before):
                for second in self._request(said[1 - one], first):
                    begun, middle = len(before.commands), len(first.commands)
                    parts = [first.commands[begun:], second.commands[middle:]]
                    if one != (statement.other_comes_first is not statement.other_said_first):
                        parts.reverse()
                    commands = (*before.commands, *parts[0], *parts[1])
                    order = self._order(before, parts[0], parts[1])
                    constraints = (*second.constraints, *order)
                    yield replace(second, commands=commands, constraints=constraints)

        yield from first_that_reads((lambda: in_order(0), lambda: in_order(1)))

    def _request(self, words: Words, before: Progress, whole: bool = True) -> Iterator[Progress]:
        """Yield every way to read the words of a request, which may be part of a choice."""
        if not words:
            raise NotUnderstoodError(_NOTHING_SAID)
        words = self._placed(words, before)
        plain = put_plainly(words, self._grammar.verbs, self._grammar.openings, self._nouns)
        reader = ClauseReader(plain, self._situation, self._grammar, asks=True)
        tried: list[ClauseReader] = []
        for variant in self._variants(reader) if whole else (reader,):
            tried.append(variant)
            found = False
            for progress in variant.readings(before):
                found = True
                yield progress
            if found:
                return
        if wishes := wishes_for_each(words):
            yield from self._each(wishes, before)
            return
        for at in (at for at, word in enumerate(words) if word == "or"):
            choice = self._choice(words[:at], words[at + 1 :], before)
            if choice is not None:
                yield choice
                return
        asked = self._instruction.rstrip().endswith("?")
        whole_read = (one for one in tried[1:] if one.difficulties.furthest == len(one.tokens))
        errors = [Explanation(variant, self._situation, asked).error() for variant in (*whole_read, reader)]
        # Of a bare "the mug" it is only asked which one.
        raise next((error for error in errors if isinstance(error, AmbiguousError)), errors[-1])

    def _each(self, requests: Sequence[Words], before: Progress) -> Iterator[Progress]:
        """Yield every way to read requests one after the other."""
        for progress in self._request(requests[0], before):
            yield from self._each(requests[1:], progress) if requests[1:] else (progress,)

    def _placed(self, words: Words, before: Progress) -> Words:
        """Return the words with the names of the places that things had at first: "and put it back"."""
        places = FormerPlaceReader(words, self._situation)
        for at in places.found():
            if not places.may_be(at):
                continue
            said = trimmed(words[:at])
            said = said if said[skip_fillers(said, 0) :] else ()
            begun = next(self._request(said, before), None) if said else before
            plain = None if begun is None else places.put_plainly(at, begun.discourse, bool(begun.commands))
            if plain is not None:
                return self._placed(plain, before)
        return words

    def _variants(self, reader: ClauseReader) -> Iterator[ClauseReader]:
        """Yield the reader, and such of the words as they may be meant: "I'd like a mango" is to have it."""
        yield reader
        tokens = reader.tokens
        if (on_it := resting_on_it(tokens)) is not None:
            yield ClauseReader(on_it, self._situation, self._grammar)
        at = tokens.index(WANT) if WANT in tokens else -1
        named = "," in tokens and _ANAPHORS & {*tokens[tokens.index(",") :]}  # "the mug, wash it"
        bare = tokens[0] in (*DEFINITE, *INDEFINITE, *NUMBERS) or (at < 0 and reader.names_things())
        bare = bare and not named
        if "bring" in self._grammar.verbs and (at >= 0 or bare):
            wished = [*tokens[:at], "bring", "me", *tokens[at + 1 :]] if at >= 0 else ["bring", "me", *tokens]
            yield ClauseReader(wished, self._situation, self._grammar, asks=True)

    def _choice(self, one: Words, other: Words, before: Progress) -> Progress | None:
        """Return the progress after a choice between two requests; None if either makes no sense."""
        goals: list[Formula] = []
        commands: list[ReadCommand] = []
        for words in (one[one[:1] == ("either",) :], other):
            clause = commands[-1].clause if commands and isinstance(commands[-1], ResolvedClause) else None
            start = Progress(discourse=before.discourse, clause=clause)
            try:
                progress = next(self._request(words, start, whole=False), None)
                if progress is None:
                    return None
                goals.append(self._goal(progress))
            except InstructionError:
                return None
            commands.extend(progress.commands)
        says = " or ".join(command.sentence() for command in commands)
        return replace(
            before, commands=(*before.commands, SettledRequest(disjunction(goals), says)), clause=None
        )


def _pattern(command: ReadCommand) -> Pattern | None:
    return command.clause.pattern if isinstance(command, ResolvedClause) else None
