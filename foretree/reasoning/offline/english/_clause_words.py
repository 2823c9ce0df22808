"""Words by which clauses, and their roles in an instruction, are told apart."""

from __future__ import annotations

import re
from typing import TypeAlias

#: The words of a part of a sentence.
Words: TypeAlias = tuple[str, ...]

#: They join clauses, and say nothing else.
JOINTS = frozenset({",", "and", "but", "so", "then", "plus", "or", "nor", "also"})
#: Conjunctions of several words, the longest first, with the one word of the same meaning.
MARKERS: tuple[tuple[Words, str], ...] = (
    (("as", "soon", "as"), "when"),
    (("as", "long", "as"), "if"),
    (("in", "case"), "in case"),
    (("provided", "that"), "if"),
    (("assuming", "that"), "if"),
    (("now", "that"), "because"),
    (("seeing", "that"), "because"),
    (("even", "though"), "although"),
    (("even", "if"), "although"),
    (("so", "that"), "so that"),
    (("so", "as"), "so that"),
    (("in", "order", "to"), "so that"),
    (("such", "that"), "so that"),
    (("in", "order", "that"), "so that"),
    (("given", "that"), "because"),
    (("except", "that"), "except"),
    (("except", "if"), "unless"),
    (("only", "if"), "if"),
    (("the", "moment"), "when"),
    (("by", "the", "time"), "before"),
    (("in", "time", "for"), "before"),
)
#: Subordinators that may be prepositions: "before lunch".
PREPOSITIONAL = frozenset({"like", "before", "after", "since", "until", "till", "as", "for"})
#: They number the deeds of a list.
ORDINALS = frozenset(
    {"first", "second", "third", "fourth", "fifth", "finally", "lastly", "next", "afterwards"}
)
#: Phrases that do so, at the beginning of a part of a sentence.
SEQUENCES: tuple[Words, ...] = tuple(
    tuple(one.split())
    for one in re.split(
        r",\s+",
        """above all, after all that, after that, and finally, at the end, before all else, before anything,
        before anything else, before you do anything else, finally, first, first and foremost, first of all,
        first off, first thing, first up, firstly, following that, for a start, for starters,
        from there, in the end, last, last but not least, last of all, last thing, last up, lastly,
        most importantly, next, next item, next on the list, next thing, next up, one final thing,
        one last thing, one more thing, once more, second, secondly, second thing, then, third, thirdly,
        at the very end,
        third thing, to begin, to begin with, to end, to end with, to finish, to finish off, to finish up,
        to finish with, to kick off, to round off, to round things off, to start, to start off,
        to start with, to wrap up, two more things, two things, three things, a few things,
        a couple of things, with that done, that done""",
    )
)
#: Before a number they number the deeds, too: "step two".
STEPS = frozenset({"step", "number", "part", "task", "job", "item", "point", "thing"})
#: After these words no new clause begins without a comma.
OPEN = frozenset({"to", "not", "and", "or", "of", "please"})
#: Verbs of wishing something to be so.
WISHING = frozenset(
    {"want", "need", "like", "love", "prefer", "have", "make", "ensure", "see", "get", "check"}
)
#: Verbs of seeing to it that something is so.
ENSURING = frozenset({"make", "see", "ensure", "check"})
#: Verbs of what somebody would welcome.
WELCOMING = frozenset({"be", "like", "love", "appreciate", "help", "prefer", "make"})
#: Verbs that a clause may go on with, whose subject is that of the clause before.
SHARING = frozenset({"be", "stay", "remain", "go", "stand", "lie", "sit", "end", "come", "get"})
#: Verbs that tell what becomes of a thing, after what was told of it before: "gets washed and *goes* there".
BECOMING = SHARING | {"belong", "need", "want"}
#: Verbs of asking, which "if" follows without a condition.
WONDERING = frozenset({"wonder", "ask", "see", "check", "mind", "know"})


def _words(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


#: Verbs of seeing to it that something is so, in a request.
ASSURING = _words("check ensure guarantee make see verify")
#: Verbs of wanting something.
DESIRES = _words("appreciate expect fancy like love need prefer require want wish")
#: Of these the present tells what somebody is fond of: "I like apples".
LIKING = _words("appreciate like love")
#: Verbs of thinking and saying, before what is thought.
OPINIONS = _words("assume believe figure guess hope reckon say suggest suppose think wonder")
#: Verbs of asking somebody to do something.
ASKING = _words("ask beg bother expect get like love need tell trouble want")
#: Verbs of saying what somebody else wants.
SAYING = _words("advise ask demand insist instruct order remind request say suggest tell urge")
#: Verbs of passing on a request: "she told me to *ask* you to".
RELAYING = _words("ask get have let make remind request tell")
#: How somebody would be: "I'd be grateful if".
PLEASED = _words("delighted glad grateful happier happy obliged pleased thankful thrilled")
#: Of these the present tells how it is with somebody: "you have two hands".
OWNING = _words("have know like love remember see")
#: Deeds of a person with a thing that they have.
ENJOYING = _words("borrow drink eat get have hold read taste try use wear")
#: Verbs of being somewhere or somehow.
STAYING = _words(
    """
    appear be become belong come end get go hang lie live look remain rest sit stand stay
    """
)
#: Verbs of staying as it is.
KEPT = _words("remain stay wait")
#: Verbs that ask for no deed: "wait", "don't worry".
IDLE = _words(
    """
    believe bother chill excuse forgive guess hurry imagine know listen look mind pardon relax remain
    rush sorry stay thank understand wait worry
    """
)
#: Adjectives of what would be welcome: "it would be nice if".
PLEASANT = _words(
    """
    amazing awesome best better brilliant cool crucial essential fab fabulous fantastic fine good grand great
    handy helpful ideal important kind lovely marvellous neat necessary nice perfect sound splendid super
    sweet swell terrific vital wonderful
    """
)
#: Words of conditions that are courtesies: "if you have a minute".
KINDNESS = _words(
    """
    able alright can chance could done fancy fine finished hands happen kind like may mind minute moment
    ok okay please possible ready sec second there time trouble up want way will wish would
    """
)
#: What "it" may be in such conditions: "if it's not too much bother".
BOTHER = _words("alright bother fine hassle imposition inconvenience ok okay possible problem trouble")
#: Words of conditions that say how sure somebody is: "if I'm not mistaken".
MISTAKEN = _words("ask correctly may mistaken recall remember wrong")
#: Modal verbs by which something shall be so.
OBLIGING = _words("must shall should")
#: Conjunctions of reasons and contrasts.
REASONS = _words("although as because like lest since so_that though whereas while whilst")
#: Those of them that may stand between two things to be done.
CONTRASTS = _words("although though whereas while whilst")
#: Words for moments that are not now: what shall be done then is not to be done at once.
DATED = _words("tomorrow tonight next week year later overnight")
#: Words by which a purpose says how much shall be left: "so that only the knife is left".
LEAVING = _words("only left remain remains exactly")
#: Words by which a moment says how far a deed shall go: "until it is half full".
PARTLY = _words("half halfway quarter third almost nearly partly lukewarm tepid left")
#: Conjunctions of conditions.
CONDITIONS = _words("assuming if in_case provided unless when whenever")
#: What they might come to do is no state of a thing: "in case somebody slips".
PERSONS = _words("anybody anyone he i people she somebody someone they we you")
#: Verbs of what the hearer will come to notice.
TRYING = _words("enjoy find hear know like love notice recognize remember see")
#: Deeds that only lead to another one: "run and get it".
SETTING_OFF = _words("come dash go hop hurry nip pop run rush scoot trot")
#: Verbs of getting something; "for me" after them says to whom.
GETTING = _words("get grab fetch find take collect retrieve")
#: Verbs after which "here" is where the speaker is.
COMING = _words("bring fetch get come carry take")
#: Verbs that open a deed behind "and": "go and get it".
GOING_AND = _words("come go nip pop run try")
#: Verbs that open a request: "remember to wash it".
OPENING = _words("begin continue proceed remember start try")
#: Verbs by which the deeds of a list are told: "start by washing it", "finish up with".
LISTING = _words("begin close conclude continue end finish follow go kick move proceed start wrap")
#: What is said of deeds that are done: "when you're through with that".
OVER = _words(
    """
    all are been complete completed did do does done everything finished happened has have is it job over part
    ready sorted task that the them these things this those through up with you
    """
)
#: One of these says that they are.
ENDED = _words("complete completed did do done finished happened over sorted through")
#: They name a thing before it is told what shall be done: "as for the mug, wash it".
TOPICS = (("as", "for"), ("regarding",), ("concerning",), ("about",), ("with", "regard", "to"), ("as", "to"))
#: What is said of no matter: "no more and no less".
NO_MATTER = _words("and less matter more no or what which")
#: After a verb that asks for no deed.
IDLY = _words("a alive at for here it lively me out there up you")
#: Words for leaving a thing as it is.
AS_IT_IS = _words("alone are as at be exactly for here is it just like now so that there they this way where")
#: What is said of a plant that wants water.
THIRSTY = _words(
    """
    thirsty parched droopy droop droops drooping wilt wilts wilting wilted wither withers withering withered
    so very really quite
    """
)
