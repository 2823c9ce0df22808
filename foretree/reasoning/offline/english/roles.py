"""The part that a clause has in an instruction: a request, a wish, a condition, a remark and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from foretree.reasoning.offline.english._clause import EnglishClause, Role, RoleKind
from foretree.reasoning.offline.english._clause_words import (
    AS_IT_IS,
    ASKING,
    ASSURING,
    CONDITIONS,
    CONTRASTS,
    DESIRES,
    ENJOYING,
    GETTING,
    GOING_AND,
    IDLE,
    KEPT,
    LIKING,
    LISTING,
    OBLIGING,
    OPENING,
    OPINIONS,
    OWNING,
    PERSONS,
    PLEASED,
    REASONS,
    TRYING,
    Words,
)
from foretree.reasoning.offline.english.adjuncts import is_moment
from foretree.reasoning.offline.english.complements.searching import sought
from foretree.reasoning.offline.english.embedded import (
    Embedded,
    embedded,
    is_hearer,
    is_supposed,
    pointed_out,
    wished_by_another,
)
from foretree.reasoning.offline.english.openings import (
    affirmed,
    asks_for_no_deed,
    begun_deed,
    comes_somewhere,
    deed_done,
    deed_within,
    ensured_state,
    is_awaited,
    is_bare_state,
    is_counted,
    is_courteous,
    is_limiting,
    is_over,
    is_told_to_do,
    lacks_something,
    longed_for,
    looks_at_thing,
    names_things,
    opened_deed,
    possible_deed,
    put_to_speaker,
    says_nothing,
    stays_as_it_is,
    topic,
    topic_role,
)
from foretree.reasoning.offline.english.states import (
    condition_words,
    is_wish,
    plain_states,
    state_words,
    with_copula,
)
from foretree.reasoning.offline.english.words import OBJECT_PRONOUNS, Sentence
from foretree.reasoning.offline.lexicon import BE, WANT
from foretree.reasoning.offline.sentences.prohibitions import as_staying

Parse = Callable[[Words], "list[EnglishClause]"]


class RoleFinder:
    """Finds the roles of clauses."""

    def __init__(self, parse: Parse, sentence: Callable[[Words], Sentence]) -> None:
        self._parse = parse
        self._sentence = sentence

    def roles(self, clause: EnglishClause) -> Iterator[Role]:
        """Yield the roles of a clause and of those within it: "make sure that the lamp is off"."""
        for role in self._roles(clause):
            wished = role.kind == "request" and role.words[:1] == (WANT,)
            for words in plain_states(self._sentence(role.words)) if wished else (role.words,):
                yield replace(role, words=words, said=role.said or clause.words)

    def _roles(self, clause: EnglishClause) -> Iterator[Role]:
        if clause.words and clause.words[0] in ("otherwise", "else"):
            rest = clause.words[1:]
            inner = [role for one in self._parse(rest) for role in self.roles(one)] if rest else []
            asked = tuple(word for role in inner if role.kind == "request" for word in (*role.words, "and"))
            yield Role("otherwise", asked[:-1])
        elif clause.marker:
            yield from self._marked(clause)
        elif clause.mood == "imperative":
            yield from self._ordered(clause)
        elif clause.mood == "question":
            yield from self._asked(clause)
        elif clause.mood == "declarative":
            yield from self._told(clause)
        else:
            yield from self._fragment(clause)

    # -- with a conjunction ------------------------------------------------------------------------
    def _marked(self, clause: EnglishClause) -> Iterator[Role]:
        marker = clause.marker
        by_hearer = clause.subject == ("you",)
        if is_over(clause):
            yield Role("nothing")
        elif is_limiting(clause):
            yield Role("unread", clause.words)
        elif by_hearer and marker == "when" and (things := sought((clause.verb, *clause.rest))):
            yield Role("search", things)
        elif marker in CONTRASTS and clause.modal in OBLIGING and not PERSONS & {*clause.subject}:
            yield from self._told(clause)  # "…, while the plate should be on the table"
        elif marker in REASONS:
            yield Role("remark", clause.words)
        elif marker in CONDITIONS and is_courteous(clause):
            yield Role("nothing")
        elif marker in CONDITIONS:
            awaits = marker == "when"
            yield Role("condition", condition_words(clause), holds=marker != "unless", awaits=awaits)
        elif marker in ("before", "till", "until", "after", "once"):
            yield self._moment(clause, by_hearer)
        else:
            yield Role("unread", clause.words)

    def _moment(self, clause: EnglishClause, by_hearer: bool) -> Role:
        """Return the role of a clause that says when: a deed of the hearer orders the deeds."""
        deed = by_hearer or clause.mood == "imperative" or not clause.subject
        words = clause.words[len(clause.subject) :] if by_hearer else clause.words
        if clause.marker in ("before", "after", "once") and deed:
            if clause.verb in ("leave", "start", "begin", "forget", "finish") or "else" in words:
                place = clause.verb == "leave" and clause.rest[:1] not in ((), ("for",))
                return Role("unread" if place else "nothing", clause.words)
            if things := sought((clause.verb, *clause.rest)):
                return Role("search", things)
            return Role(
                "order", deed_done(clause, self._sentence(words)), comes_first=clause.marker != "before"
            )
        if clause.marker == "before":
            return Role("nothing")  # what is done now is done before that
        if clause.marker in ("after", "once") and clause.verb == "be":
            return Role("order", clause.words, comes_first=True)
        return Role("nothing" if clause.marker in ("until", "till") else "unread", clause.words)

    # -- imperatives -------------------------------------------------------------------------------
    def _ordered(self, clause: EnglishClause) -> Iterator[Role]:
        verb, rest = clause.verb, clause.rest
        to = self._after_to(rest)
        if clause.denied:
            if verb in ("forget", "hesitate", "fail", "neglect") and to:
                yield from self._request(to)
            elif verb in IDLE or (verb == "be" and not rest):
                yield Role("nothing")
            elif verb == "need" or (verb == "have" and to):
                yield Role("needless", to or rest)
            else:
                yield Role("prohibition", (verb, *rest))
        elif verb in OPENING and to:
            yield from self._request(to)
        elif verb in LISTING and (begun := begun_deed(self._sentence(rest))) is not None:
            deed = self._sentence(begun).base(0, "ing")
            yield from self._request(begun) if deed else (Role("request", begun, refers=True, bare=True),)
        elif verb in ASSURING and (inner := self._ensured(verb, rest)):
            yield from self._wished(inner)
        elif verb in ("be", "make", "feel", "do", *GOING_AND) and (inner := opened_deed(verb, rest)):
            yield from self._request(inner)
        elif verb == "mind" and rest[:1] in (("you",), ("that",)):
            yield from self._within(rest)
        elif verb == "mind" and rest and self._sentence(rest).base(0, "ing"):
            yield from self._request(rest)
        elif verb == "help" and rest[:1] in (("me",), ("us",)):
            yield from self._request(self._after_to(rest[1:]) or rest[1:])
        elif staying := as_staying((verb, *rest)):
            yield Role("prohibition", staying)
        elif asks_for_no_deed(verb, rest) and not looks_at_thing(self._sentence((verb, *rest))):
            yield Role("nothing", clause.words)
        elif verb == "have" and len(rest) > 2:
            yield from self._desired(rest)
        elif rest[:1] in (("nothing",), ("no",)) or stays_as_it_is(verb, rest):
            yield Role("nothing", clause.words)
        elif verb in ("leave", "keep") and names_things(self._sentence(rest)):
            pronoun = rest[0] in OBJECT_PRONOUNS
            yield Role("nothing") if pronoun else Role("prohibition", ("touch", *rest))
        else:
            yield from self._request((verb, *rest))

    def _ensured(self, verb: str, rest: Words) -> Words:
        """Return the clause of what shall be so: "make sure (that) the lamp is off", "see to it that"."""
        inner = ensured_state(verb, rest)
        found = self._parse(inner) if inner else []
        return inner if found and found[0].mood == "declarative" else ()

    def _wished(self, words: Words) -> Iterator[Role]:
        """Yield the wishes for what a clause says to be so."""
        for clause in self._parse(words):
            if clause.mood == "declarative" and not clause.marker:
                if clause.subject == ("you",):
                    yield from self._request((clause.verb, *clause.rest))
                else:
                    yield self._state(clause)
            else:
                yield from self.roles(clause)

    def _request(self, words: Words) -> Iterator[Role]:
        """Yield the request for a deed, whose words begin with the verb."""
        words = words[words[:1] == ("to",) :]
        if things := sought(words):
            yield Role("search", things)
            return
        words = put_to_speaker(words)
        if words[:1] and words[0] in GETTING and words[-2:] in (("for", "me"), ("for", "us")):
            words = ("bring", *words[1:-2], "to", "me")
        if not words:
            return
        sentence = self._sentence(words)
        words = (sentence.base(0, "base", "ing") or words[0], *words[1:])
        found = self._parse(words)
        if len(found) > 1 or (found and found[0].mood == "imperative" and found[0].verb in ASSURING):
            first = found[0]
            if first.mood != "imperative" or first.words == words:
                yield Role("request", words)
            else:
                for one in found:
                    yield from self.roles(one)
            return
        yield Role("request", words)

    # -- questions ---------------------------------------------------------------------------------
    def _asked(self, clause: EnglishClause) -> Iterator[Role]:
        words, rest, verb = clause.words, clause.rest, clause.verb
        if is_hearer(clause) and clause.modal:
            yield from self._asked_of_hearer(clause)
        elif inner := pointed_out(words, self._sentence(words)):
            yield from self._embedded(inner)
        elif words[:2] == ("why", "not"):
            yield from self._request(words[2:])
        elif words[:4] in (("why", "do", "not", "you"), ("why", "do", "not", "we")):
            yield from self._request(words[4:])
        elif words[:2] in (("how", "about"), ("what", "about")) and self._sentence(words).base(2, "ing"):
            yield from self._request(words[2:])
        elif clause.subject == ("you",) and verb in (*OPINIONS, "mind") and rest:
            yield from self._within(rest)
        elif clause.subject in (("i",), ("we",)) and clause.modal:
            yield from self._asked_for(clause)
        elif clause.subject in (("there",), ("it",)) and (deed := possible_deed(rest, clause.modal)):
            yield from self._request(deed)
        elif clause.modal and clause.subject and clause.subject[0] not in ("he", "she", "they", "that", "it"):
            yield self._state(affirmed(clause))  # "shouldn't the milk be in the fridge?"
        elif not rest and len(words) < 4:
            yield Role("nothing")  # a tag: "will you", "is it"
        else:
            yield Role("question", words)

    def _asked_of_hearer(self, clause: EnglishClause) -> Iterator[Role]:
        verb, rest = clause.verb, clause.rest
        if not verb:
            yield Role("nothing")
        elif verb == "mind":
            if rest and self._sentence(rest).base(0, "ing"):
                yield from self._request(rest)
            elif rest:
                yield from self._within(rest)
            else:
                yield Role("nothing")
        elif (verb in OPINIONS and rest) or verb == "tell":
            yield Role("question", clause.words)
        else:
            inner = EnglishClause("imperative", (verb, *rest), group=clause.group, rest=rest)
            yield from self._ordered(inner if not clause.denied else replace(inner, group=clause.plain_group))

    def _asked_for(self, clause: EnglishClause) -> Iterator[Role]:
        """Yield the roles of "could I have a mug", "may I ask you to"."""
        verb, rest = clause.verb, clause.rest
        if verb in ASKING and rest[:2] == ("you", "to"):
            yield from self._request(rest[2:])
        elif verb in ("have", "get", "borrow", "take", "see", "bother", "trouble") and rest:
            yield from self._desired(rest[rest[:1] == ("you",) :])
        elif verb and clause.subject == ("i",):
            yield Role("question", clause.words)
        elif verb:
            yield Role("request", (verb, *rest))

    # -- statements --------------------------------------------------------------------------------
    def _told(self, clause: EnglishClause) -> Iterator[Role]:
        subject = clause.subject
        if is_hearer(clause):
            yield from self._told_of_hearer(clause)
        elif subject in (("i",), ("we",)):
            yield from self._told_of_speaker(clause)
        elif inner := embedded(clause, self._sentence):
            yield from self._embedded(inner)
        elif clause.verb in KEPT and clause.rest and AS_IT_IS.issuperset(clause.rest):
            yield Role("prohibition", ("touch", *subject))
        elif is_wish(clause):
            yield self._state(clause)
        elif (wish := wished_by_another(clause, self._sentence(clause.rest))) is not None:
            yield from self._desired(wish)
        elif lacks_something(clause, self._sentence(subject)) or (
            clause.modal == "would" and clause.verb in DESIRES
        ):
            yield Role("request", clause.words, refers=True)
        elif comes_somewhere(clause, self._sentence(clause.rest)):
            rest, given = clause.rest, clause.rest[:2] == ("to", "me")
            away = bool({"off", "from", "out"} & {*rest[:1]})
            words = ("bring", "me", *subject) if given else ("take" if away else "move", *subject, *rest)
            yield Role("offer", words)
        elif is_bare_state(clause, self._sentence(clause.words)):
            yield Role(
                "request", (WANT, *clause.subject, BE, *clause.words[len(clause.subject) :]), bare=True
            )
        elif clause.verb == "get" and not clause.modal and self._sentence(clause.rest).base(0, "participle"):
            yield Role("offer", (WANT, *subject, BE, *clause.rest))
        else:
            yield Role("remark", clause.words)

    def _told_of_hearer(self, clause: EnglishClause) -> Iterator[Role]:
        verb, rest, modal = clause.verb, clause.rest, clause.modal
        if modal and not verb:
            yield Role("unread", clause.words)
        elif not modal and is_told_to_do(clause):
            known = verb in self._sentence((verb,)).verbs and verb not in OWNING
            yield Role("request", (verb, *rest)) if known else Role("remark", clause.words)
        elif not modal or (modal in ("will", "would") and verb in TRYING):
            yield Role("remark", clause.words)
        elif clause.denied:
            kind: RoleKind = "prohibition" if modal not in ("will", "would", "might") else "remark"
            yield Role(kind, (verb, *rest))
        else:
            order = EnglishClause("imperative", (verb, *rest), group=clause.plain_group, rest=rest)
            for role in self._ordered(order):
                offer = modal in ("can", "may", "might", "could") and verb not in LISTING
                yield replace(role, kind="offer") if offer and role.kind == "request" else role

    def _told_of_speaker(self, clause: EnglishClause) -> Iterator[Role]:
        verb, rest = clause.verb, clause.rest
        if clause.denied:
            if verb in DESIRES and rest[:2] == ("you", "to"):
                yield Role("prohibition", rest[2:])
            elif verb == "want" and rest and rest[0] != "to":
                yield Role("unread", clause.words)
            else:
                yield Role("remark", clause.words)
        elif verb in ASKING and rest[:2] == ("you", "to"):
            yield from self._request(rest[2:])
        elif verb in DESIRES and rest[:3] == ("for", "you", "to"):
            yield from self._request(rest[3:])
        elif verb in DESIRES and rest[:2] == ("it", "if"):
            yield from self._within(rest[2:], wished=True)
        elif (verb in LIKING and not clause.modal and "to" not in rest) or is_awaited(clause):
            yield Role("remark", clause.words)
        elif verb in DESIRES and clause.modal != "used to":
            yield from self._desired(rest)
        elif verb in OPINIONS and rest:
            yield from self._within(rest)
        elif verb == "mean" and self._sentence(rest).has(0, "det") and rest[0] not in ("that", "this"):
            yield Role("unread", clause.words)  # "I meant the other one": a correction
        elif (inner := longed_for(clause)) is not None:
            yield from self._desired(inner)
        elif verb == "be" and "if" in rest and rest[(at := rest.index("if")) + 1 : at + 2] == ("you",):
            yield from self._within(rest[at + 1 :])
        elif verb == "be" and "if" in rest and PLEASED & {*rest[:at]}:
            yield from self._within(rest[at + 1 :], wished=True)
        else:
            yield Role("remark", clause.words)

    def _desired(self, words: Words) -> Iterator[Role]:
        """Yield the role of a wish: a thing, that it be somehow, or to do something with it."""
        if words[:1] == ("to",):
            deed = words[1:2]
            if deed == ("be",) and words[2:3] in (("sure",), ("certain",)):
                yield from self._wished(words[3 + (words[3:4] == ("that",)) :])
            elif deed in (("ask",), ("trouble",)) and words[2:4] == ("you", "to"):
                yield from self._request(words[4:])
            elif deed and deed[0] in ("see", "have") and len(words) > 2:
                yield from self._desired(words[2:])
            elif deed and deed[0] in ENJOYING and len(words) > 2:
                after = 2 + (words[2] in ("from", "with", "on", "out"))
                yield Role("request", ("bring", "me", *words[after:]))
            else:
                yield Role("remark", words)
        elif words[:1] == ("that",) or (self._parse(words) and self._parse(words)[0].mood == "declarative"):
            yield from self._wished(words[words[:1] == ("that",) :])
        else:
            rather = words.index("than") if "than" in words else len(words)
            yield Role("request", (WANT, *with_copula(self._sentence(words[:rather]))))

    def _embedded(self, found: Embedded) -> Iterator[Role]:
        """Yield the roles of the request within a clause that reports or welcomes it."""
        match found.kind:
            case "deed":
                yield from self._request(found.words)
            case "not":
                yield Role("prohibition", found.words)
            case "clause":
                yield from self._within(found.words, wished=True)
            case "wish":
                yield from self._wished(found.words)
            case "thing":
                yield from self._desired(found.words)

    def _within(self, words: Words, wished: bool = False) -> Iterator[Role]:
        """Yield the roles of a clause within one: "I wonder if *you could open it*"."""
        while words[:1] in (("if",), ("that",), ("whether",), ("so",)):
            words = words[1:]
        for clause in self._parse(words):
            if deed := deed_within(clause):
                yield from self._request(deed)
            elif clause.mood == "declarative" and clause.group and is_supposed(clause, wished):
                yield self._state(clause) if clause.subject not in (("i",), ("we",)) else Role("remark")
            else:
                yield from self.roles(clause)

    def _state(self, clause: EnglishClause) -> Role:
        """Return the wish that a clause be so."""
        words = state_words(clause, self._sentence(clause.rest))
        refers = clause.subject == ("there",) and (clause.modal != "must" or not clause.denied)
        return Role("request", words, clause.words, refers=refers)

    # -- without a verb ----------------------------------------------------------------------------
    def _fragment(self, clause: EnglishClause) -> Iterator[Role]:
        sentence = self._sentence(clause.words)
        if says_nothing(sentence):
            yield Role("nothing")
        elif named := topic(sentence):
            yield topic_role(named)
        elif inner := pointed_out(clause.words, sentence):
            yield from self._embedded(inner)
        elif is_moment(sentence) or (
            sentence.has(0, "prep", "part") and not (sentence.has(0, "noun") or is_counted(sentence))
        ):
            yield Role("adjunct", clause.words)
        else:  # "whatever is on the bed should be on the sofa" is more than named
            yield Role("request", clause.words, refers=OBLIGING.isdisjoint(clause.words), bare=True)

    def _after_to(self, words: Words) -> Words:
        return words[1:] if words[:1] == ("to",) else ()
