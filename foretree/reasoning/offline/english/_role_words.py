"""Words by which the role of a clause in an instruction is told."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


#: Verbs of seeing to it that something is so.
ENSURING = _words("check ensure guarantee make see verify")
#: Verbs of wanting something.
DESIRES = _words("appreciate expect fancy like love need prefer require want wish")
#: Of these the present tells what somebody is fond of: "I like apples".
LIKING = _words("appreciate like love")
#: Verbs of thinking and saying, before what is thought.
OPINIONS = _words("assume believe figure guess hope reckon say suggest suppose think wonder")
#: Verbs of asking somebody to do something.
ASKING = _words("ask beg bother expect get like love need tell trouble want")
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
    awesome best better cool essential fantastic good great handy helpful ideal important kind lovely
    neat necessary nice perfect sweet wonderful
    """
)
#: Words of conditions that are courtesies: "if you have a minute".
KINDNESS = _words(
    """
    able alright can chance could done fancy fine finished hands happen kind like may mind minute moment
    ok okay please possible ready sec second there time trouble up want way will wish would
    """
)
#: Words of conditions that say how sure somebody is: "if I'm not mistaken".
MISTAKEN = _words("ask correctly may mistaken recall remember wrong")
#: Modal verbs by which something shall be so.
OBLIGING = _words("must shall should")
#: Conjunctions of reasons and contrasts.
REASONS = _words("although as because lest since so_that though whereas while whilst")
#: Conjunctions of conditions.
CONDITIONS = _words("assuming if provided unless when whenever")
#: Verbs of what the hearer will come to notice.
TRYING = _words("enjoy find hear know like love notice recognize remember see")
#: Verbs of getting something; "for me" after them says to whom.
GETTING = _words("get grab fetch find take collect retrieve")
#: Verbs after which "here" is where the speaker is.
COMING = _words("bring fetch get come carry take")
#: Verbs that open a request: "remember to wash it".
OPENING = _words("begin continue proceed remember start try")
#: What is said of no matter: "no more and no less".
NO_MATTER = _words("and less matter more no or what which")
#: After a verb that asks for no deed.
IDLY = _words("a at for here it me there you")
#: Words for leaving a thing as it is.
AS_IT_IS = _words("alone are as be for here is it now there they where")
