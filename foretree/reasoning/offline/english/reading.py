"""Statements of an instruction, found by the grammar of English.

Each clause has a role; the requests, with their conditions and order, become statements. What is told besides
becomes the context: it says only what pronouns stand for, unless nothing is asked for at all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.english._clause import (
    EnglishClause,
    Role,
    wished,
    with_shares,
    with_wishes_in_a_row,
)
from foretree.reasoning.offline.english._clause_words import SEQUENCES, STEPS, Words
from foretree.reasoning.offline.english.adjuncts import HANDLING, is_timed, shortened, with_reasons_last
from foretree.reasoning.offline.english.clauses import ClauseFinder
from foretree.reasoning.offline.english.complements.plainly import plainer
from foretree.reasoning.offline.english.complements.searching import puts_it, with_searches
from foretree.reasoning.offline.english.embedded import pointed_out
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.english.openings import awaited_state, is_precaution, with_subject
from foretree.reasoning.offline.english.roles import RoleFinder
from foretree.reasoning.offline.english.states import with_inverted_conditions, without_neither
from foretree.reasoning.offline.english.things_wanted import with_one_named
from foretree.reasoning.offline.english.tools_told import with_tools_told
from foretree.reasoning.offline.english.words import Sentence, written_out
from foretree.reasoning.offline.lexicon import BE, NUMBERS, WANT, sentences_of
from foretree.reasoning.offline.sentences.prohibitions import NEEDLESS, check_free, check_of_all
from foretree.reasoning.offline.sentences.statements import Statement
from foretree.reasoning.offline.word_lists import fetching_verbs

_INDIFFERENT = frozenset(
    tuple(words.split())
    for words in re.split(
        r",\s+",
        """you choose, your choice, your pick, take your pick, up to you, either will do, either is fine,
        any will do, either one will do, either one is fine, no matter which, no matter which one,
        whichever, does not matter which, does not matter which one, all the same to me""",
    )
)
#: Headings of what shall be so: "goal: the mug is clean".
_GOALS = frozenset({"goal", "goals", "target", "objective", "result", "outcome", "state", "end", "wanted"})
#: States that are called to a thing: "microwave, off!".
_SWITCHED = frozenset({"on", "off", "open", "closed", "shut"})
#: Pronouns by which a request goes back to what was told before it.
_ANAPHORS = frozenset({"it", "them"})
_SPEAKERS = frozenset({"i", "my", "we", "our"})
#: Where a thing is.
_RESTING = frozenset({"in", "on", "under", "inside", "at", "behind", "beside", "near", "by"})
_TOLD_OF = _ANAPHORS | {"they", "that", "those"}


@dataclass(frozen=True)
class EnglishReading:
    """An instruction taken apart.

    Attributes:
        statements: what is asked for, in order, with what is told besides.
        remarks: what is told besides.
        questions: what is asked to be told.
    """

    statements: tuple[Statement, ...]
    remarks: tuple[Words, ...] = ()
    questions: tuple[Words, ...] = ()

    @property
    def asks(self) -> bool:
        """True if anything is asked for."""
        return any(statement.words or statement.prohibitions for statement in self.statements)


@dataclass
class _Draft:
    """Statements found so far in one sentence."""

    statements: list[Statement] = field(default_factory=list)
    condition: Role | None = None
    later: bool = False  # the condition is a moment that is no state of a thing
    order: Role | None = None
    adjuncts: list[Words] = field(default_factory=list)
    together: int = 1  # so many statements are of the last clause that has any


class EnglishReader:
    """Takes instructions apart by the grammar of English."""

    def __init__(self, verbs: Collection[str], nouns: Collection[str]) -> None:
        self._verbs = verbs
        self._nouns = nouns
        self._lexicon = english_words()
        self._roles = RoleFinder(self._clauses, self._sentence)

    def reading(self, tokens: Sequence[str]) -> EnglishReading:
        """Return the statements of an instruction.

        Raises:
            NotUnderstoodError: a clause changes what shall be done in a way that is not understood.
        """
        statements: list[Statement] = []
        remarks: list[Words] = []
        questions: list[Words] = []
        in_the_end = False
        for words, stop in sentences_of(written_out(tokens, self._lexicon)):
            draft = _Draft()
            plain = with_subject(_with_parts_in_place(without_neither(self._without_fillers(words))))
            plain = with_reasons_last(self._sentence(plain))
            clauses = with_shares(with_wishes_in_a_row(self._clauses(self._pointed(plain))))
            if clauses and stop != "?":
                clauses = [*with_inverted_conditions(clauses)]
            in_the_end = _GOALS.issuperset(words[-1:]) if stop == ":" else in_the_end
            clauses = [*map(wished, clauses)] if in_the_end else clauses
            if stop == ":" and not self._names_any(clauses):
                check_free(words, heading=True)
                remarks.append(words)  # "here's my list:"
                continue
            asked = stop == "?" and all(clause.mood in ("declarative", "fragment") for clause in clauses)
            for clause in clauses:
                begun = len(draft.statements)
                for role in self._asked(clause) if asked else self._roles.roles(clause):
                    if role.kind == "condition" and draft.statements and is_precaution(clause):
                        role = replace(role, kind="remark")
                    if role.kind == "remark" and role.said:
                        check_free(role.said, heading=stop == ":")
                        remarks.append(role.said)
                        if clause.joint == "but":
                            check_of_all(role.said, (one.words for one in draft.statements))
                    elif role.kind == "question":
                        questions.append(role.said)
                    self._add(role, clause, draft, statements)
                draft.together = len(draft.statements) - begun or draft.together
            self._take_up(draft, statements)
            statements = [*statements, *self._finished(draft)]
        searched = with_searches([*with_one_named([*_kept_so_long([*with_tools_told(statements)])])])
        plain_statements = [*_without_belief([*searched])]
        told = _with_company(tuple(_fetched_for_speaker(plain_statements)))
        return EnglishReading(told, tuple(remarks), tuple(questions))

    def _asked(self, clause: EnglishClause) -> Iterator[Role]:
        """Yield the roles of a clause before a question mark: "the fridge is open?" tells nothing."""
        own = clause.subject in (("i",), ("we",), ("you",)) or clause.marker
        states = clause.mood == "declarative" and not own
        for role in self._roles.roles(clause):
            if states or (role.bare and role.kind == "request"):
                yield Role("question", clause.words, clause.words)
            else:
                yield role

    def _sentence(self, words: Words) -> Sentence:
        return Sentence(tuple(words), self._lexicon, self._verbs, self._nouns)

    def _clauses(self, words: Words) -> list[EnglishClause]:
        return [*ClauseFinder(self._sentence(words)).clauses()]

    def _without_fillers(self, words: Words) -> Words:
        """Return the words without what stands apart and says nothing: "ugh", "please", "mate"."""
        pieces: list[Words] = []
        begin = 0
        for at in range(len(words) + 1):
            if at == len(words) or words[at] == ",":
                pieces.append(self._bare(words[begin:at]))
                begin = at + 1
        found: list[Words] = []
        for piece in filter(None, map(self._unnumbered, pieces)):
            switched = found and piece[0] in _SWITCHED and len(piece) == 1 and found[-1][-1] in self._nouns
            if switched:  # "microwave, off!"
                found[-1] = (*found[-1], *piece)
            elif not found or piece != ("now",):
                found.append(piece)
        return tuple(word for at, piece in enumerate(found) for word in ((",",) if at else ()) + piece)

    def _names_any(self, clauses: Sequence[EnglishClause]) -> bool:
        """Return whether clauses ask for anything, or name a thing that is here."""
        words = {word for clause in clauses for word in clause.words}
        return any(clause.mood != "fragment" for clause in clauses) or not words.isdisjoint(self._nouns)

    def _pointed(self, words: Words) -> Words:
        """Return the words with "I want" for "what I want is", before things that shall be somehow."""
        found = pointed_out(words, self._sentence(words))
        return ("i", WANT, *found.words) if found is not None and found.kind == "thing" else words

    def _unnumbered(self, piece: Words) -> Words:
        """Return the words without what numbers them: "step two", "last thing", "and three"."""
        joint = 1 if piece[:1] in (("and",), ("then",), ("so",), ("oh",)) else 0
        said = piece[joint:]
        counts = len(said) == 1 and self._sentence(said).has(0, "num")
        steps = len(said) == 2 and said[0] in STEPS and self._sentence(said).has(1, "num")
        tells = said[-2:] == ("the", "end")  # what is so in the end is wished
        return piece[:joint] if counts or steps or (said in SEQUENCES and not tells) else piece

    def _bare(self, piece: Words) -> Words:
        apart = self._lexicon.interjections | self._lexicon.vocatives
        if " ".join(piece) in apart or (piece and all(word in apart for word in piece)):
            return ()
        praise = piece[:2] in (("like", "a"), ("be", "a"), ("there", "is"))
        praise = praise and piece[-1] in self._lexicon.vocatives
        if praise or piece in HANDLING or _is_indifferent(piece, self._nouns):
            return ()
        tags = self._sentence(piece).tags
        fillers = [at for at, word in enumerate(piece) if word in apart and tags[at] <= {"intj"}]
        while len(piece) > 1 and fillers and fillers[-1] == len(piece) - 1:
            piece, fillers = piece[:-1], fillers[:-1]
        begin = 0
        while begin in fillers and begin < len(piece) - 1:
            begin += 1
        return piece[begin:]

    # -- statements --------------------------------------------------------------------------------
    def _add(self, role: Role, clause: EnglishClause, draft: _Draft, before: list[Statement]) -> None:
        chosen = role.kind == "condition" or (role.kind == "request" and not draft.condition)
        if clause.joint == "or" and chosen and draft.statements:
            raise NotUnderstoodError(
                f'A choice ("or {" ".join(clause.words)}") is not understood yet. Name one.'
            )
        match role.kind:
            case "nothing" if (awaited := awaited_state(clause)) and draft.statements:
                if draft.statements[-1].words:  # "leave it in the fridge until it is cold"
                    draft.statements.append(self._request(Role("offer", awaited), draft))
            case "nothing" if draft.condition is not None and not clause.marker:
                draft.condition = None  # "if it is open, leave it be"
            case "request" | "offer":
                draft.statements.append(self._request(role, draft))
            case "topic":
                draft.statements.append(Statement(role.words, mentioned=role.words, bare=True))
            case "search":
                draft.statements.append(Statement((), sought=role.words))
            case "prohibition":
                draft.statements.append(Statement((), prohibitions=(role.words,)))
            case "needless":
                draft.statements.append(Statement((), prohibitions=((NEEDLESS, *role.words),)))
            case "condition" if clause.marker == "when" and self._is_later(clause) and _last_wishes(draft):
                pass  # what shall be so then may be so now
            case "condition" if clause.marker == "when" and self._is_later(clause) and not draft.statements:
                draft.condition, draft.later = role, True
            case "condition" if draft.statements and not clause.joint:
                for at in range(-draft.together, 0):
                    draft.statements[at] = _conditioned(draft.statements[at], role, first=False)
            case "condition":
                draft.condition = role
            case "order" if draft.order is not None or (draft.statements and draft.statements[-1].other):
                raise NotUnderstoodError(
                    "What comes before and after is not understood at once. Say it in order."
                )
            case "order" if draft.statements:
                draft.statements[-1] = _ordered(draft.statements[-1], role, first=False)
            case "order":
                draft.order = role
            case "otherwise":
                self._otherwise(role, draft, before)
            case "adjunct":
                draft.adjuncts.append(role.words)
            case "question" if before or draft.statements:
                raise NotUnderstoodError(
                    f'That is a question, beside a request: "{" ".join(role.said)}". Ask it by itself.'
                )
            case "remark" | "question":
                said = role.said
                if not clause.joint:  # "in the drawer there is a stapler"
                    said = tuple(word for adjunct in (said, *draft.adjuncts) for word in adjunct)
                    draft.adjuncts.clear()
                draft.statements.append(Statement((), mentioned=said))
            case "unread":
                raise NotUnderstoodError(
                    f'I do not understand "{" ".join(role.said or role.words)}". Say what shall be done, '
                    "one thing after the other."
                )

    def _request(self, role: Role, draft: _Draft) -> Statement:
        words = role.words
        for adjunct in draft.adjuncts:
            words = (*words, *adjunct)
        draft.adjuncts.clear()
        shorter = self._shorter(words)
        made = Statement(
            words,
            shorter=shorter,
            optional=role.kind == "offer",
            belief=role.refers,
            bare=role.bare,
        )
        if draft.later and words[:1] == (WANT,):
            draft.condition, draft.later = None, False
        if draft.condition is not None:
            made = _conditioned(made, draft.condition, first=True)
        if draft.order is not None:
            made = _ordered(made, draft.order, first=True)
            draft.order = None
        return made

    def _shorter(self, words: Words) -> tuple[Words, ...]:
        """Return plainer and shorter wordings of a request, the nearest first."""
        left_out = [*shortened(self._sentence(words))]
        found = [*plainer(self._sentence(words)), *left_out]
        for fewer in left_out:
            found.extend(plainer(self._sentence(fewer)))
        return tuple(dict.fromkeys(one for one in found if one != words))

    def _is_later(self, clause: EnglishClause) -> bool:
        """Return whether a moment is told that is no state of a thing: "when my mother comes"."""
        if clause.mood != "declarative" or clause.subject == ("you",):
            return False
        if clause.subject in (("i",), ("we",)):
            return True
        person = "person" in self._lexicon.parts_of_speech(clause.subject[-1])
        return clause.subject[-1] not in self._nouns and (person or clause.verb not in ("be", "have"))

    def _otherwise(self, role: Role, draft: _Draft, before: list[Statement]) -> None:
        draft.condition = None
        for found in (draft.statements, before):
            for at in range(len(found) - 1, -1, -1):
                if found[at].condition:
                    found[at] = replace(found[at], otherwise=role.words)
                    return

    def _take_up(self, draft: _Draft, before: list[Statement]) -> None:
        """Add what is said apart to the request before: "My son wants milk. In a glass, please."."""
        asked = [at for at, statement in enumerate(before) if statement.words]
        if not draft.adjuncts or any(statement.words for statement in draft.statements) or not asked:
            return
        last = before[asked[-1]]
        words = (*last.words, *(word for adjunct in draft.adjuncts for word in adjunct))
        before[asked[-1]] = replace(last, words=words, shorter=())
        draft.adjuncts.clear()

    def _finished(self, draft: _Draft) -> Iterator[Statement]:
        """Yield the statements of a sentence.

        Raises:
            NotUnderstoodError: there is a condition, or a place, for nothing.
        """
        asked = [statement for statement in draft.statements if statement.words]
        if draft.condition is not None and not any(statement.condition for statement in asked):
            raise NotUnderstoodError(f'Nothing is said for "{" ".join(draft.condition.said)}".')
        if draft.order is not None:
            yield Statement(draft.order.words)
        yield from draft.statements
        for adjunct in draft.adjuncts:
            yield Statement(adjunct)


def _is_indifferent(piece: Words, nouns: Collection[str]) -> bool:
    """Return whether words leave a choice to the hearer: "whichever is easier", "you choose"."""
    chosen = piece[:1] in (("whichever",), ("whatever",)) and piece[1:2] in (("is",), ("you",), ("suits",))
    return (chosen or piece in _INDIFFERENT) and not any(word in nouns for word in piece)


def _with_parts_in_place(words: Words) -> Words:
    """Return "of the two pillows, one should stay" as "one of the two pillows should stay"."""
    if words[:1] != ("of",) or "," not in words:
        return words
    at = words.index(",")
    end = at + 1 + (words[at + 1 : at + 2] in (("exactly",), ("only",), ("just",)))
    counted = words[end : end + 1] and words[end] in (*NUMBERS, "both", "all", "none")
    return (*words[at + 1 : end + 1], *words[:at], *words[end + 1 :]) if counted else words


def _last_wishes(draft: _Draft) -> bool:
    return bool(draft.statements) and draft.statements[-1].words[:1] == (WANT,)


def _conditioned(statement: Statement, role: Role, first: bool) -> Statement:
    return replace(
        statement, condition=role.words, holds=role.holds, awaits=role.awaits, condition_first=first
    )


def _ordered(statement: Statement, role: Role, first: bool) -> Statement:
    return replace(statement, other=role.words, other_comes_first=role.comes_first, other_said_first=first)


def _kept_so_long(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements; how long something shall be so is no adjunct where more is to be done then."""
    last = max((at for at, one in enumerate(statements) if one.words and not one.mentioned), default=0)
    for at, statement in enumerate(statements):
        lasts = at < last and is_timed(statement.words)
        yield replace(statement, shorter=tuple(filter(is_timed, statement.shorter))) if lasts else statement


def _without_belief(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements; "there should be a towel on the rack" is told where a request goes back to it.

    So is "it should be in the wardrobe" of what is to be brought to the speaker.
    """
    for at, statement in enumerate(statements):
        later = [word for one in statements[at + 1 :] if not one.belief for word in one.words]
        before = statements[at - 1].words if at else ()
        brought = before[:2] in (("bring", "me"), ("get", "me"), ("fetch", "me")) or before[-2:] == (
            "to",
            "me",
        )
        is_brought = brought or (before[:1] == (WANT,) and BE not in before)
        place = statement.words[:1] == (WANT,) and statement.words[2:3] == (BE,) and statement.words[3:4]
        if (statement.belief and statement.words and _ANAPHORS & {*later}) or (
            is_brought and place and statement.words[1] in _TOLD_OF and place[0] in _RESTING
        ):
            yield replace(statement, mentioned=statement.words)
        else:
            yield statement


def _fetched_for_speaker(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements; what the speaker wants, or tells of as "my", and has fetched, is for the speaker.

    "I need my coat, get it" asks for no more than its first part; in "that's my coat, grab it" it is to be
    brought.
    """
    asked = [statement for statement in statements if statement.words and not statement.mentioned]
    for at, statement in enumerate(statements):
        said = ((one[:-1], one[-1]) for one in (statement.words, *statement.shorter) if one)
        thing = next(
            (last for verb, last in said if last in _ANAPHORS and " ".join(verb) in fetching_verbs()), ""
        )
        fetches = bool(thing)
        before, later = statements[:at], statements[at + 1 :]
        if statement.words[:1] == (WANT,) and BE not in statement.words and any(map(puts_it, later)):
            statement = replace(statement, mentioned=statement.words)
        if fetches and any(one.words[:1] == (WANT,) and BE not in one.words for one in before):
            continue
        told = {word for one in before for word in one.mentioned}
        if fetches and len(asked) == 1 and told & _SPEAKERS:
            statement = replace(statement, words=("bring", thing, "to", "me"), shorter=())
        yield statement


def _with_company(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements; where there are none but such as are no clauses, each means to be brought.

    But "the mug, it is dirty" does not.
    """
    asked = [statement for statement in statements if statement.words and not statement.mentioned]
    begun = next((at for at, statement in enumerate(statements) if statement.words), 0)
    told = {word for one in statements[begun:] if not one.words for word in one.mentioned}
    alone = all(statement.bare for statement in asked) and not told & _TOLD_OF
    return tuple(replace(one, bare=one.bare and not alone) for one in statements)
