"""The prose around the steps of an answer: whether it asks for them, or takes them back."""

from __future__ import annotations

import re

#: What tells that the steps after it are those of the answer; or those that were there before.
_NEW = re.compile(
    r"\b(?:answers?|revised|revision|new|final|corrected|correction|updated|result|output|solution|edit|after)\b",
    re.I,
)
_OLD = re.compile(
    r"\b(?:original|old|previous|current|remaining|present|given|initial|existing|before|input|feedback|example)\b",
    re.I,
)
#: What tells, right before steps, that they are not to be done.
_AGAINST = re.compile(
    r"\b(?:do|does|did|should|must|would|could|can|will|may|need)(?:\s+not\b|n['’]t\b)|\bcannot\b"
    r"|\bnot\s+(?:the|this|these|that|as|following|answer|do)\b|\bnot\s*:?$|\b(?:never|avoid|wrong|incorrect|bad|"
    r"mistakes?|invalid|instead\s+of|rather\s+than|except|unlike|opposite|reject|discard|remove|delete|omit|drop|"
    r"without|neither|nor|skip|replace|unless|unnecessary)\b",
    re.IGNORECASE,
)
#: The same where a whole sentence stands before them, which may say what is wrong in the world.
_AGAINST_IN_SENTENCE = re.compile(
    r"\b(?:do\s+not|don['’]t|never|avoid|incorrect|mistake|(?:the\s+)?following\s+(?:\w+\s+)?(?:is|are|would|will|must|"
    r"should)|wrong\s+(?:answer|plan|step|steps|way|idea)|bad\s+(?:answer|plan|idea|way)|not\s+(?:answer|reply|suggest)"
    r"|wouldn['’]t|would\s+not|must\s+not|mustn['’]t|should\s+not|shouldn['’]t)\b",
    re.IGNORECASE,
)
#: What takes back, afterwards, what was said, or makes it depend on something.
_TAKES_BACK = re.compile(
    r"^\W*(?:wait|actually|alternatively|instead|or|but|however|correction|no|sorry|on\s+second\s+thoughts?|otherwise|"
    r"if|unless|hmm+|oops|scratch|ignore|disregard|forget|not|never|only\s+if|when)\b"
    r"|\b(?:is|are|was|were|be|looks?|seems?)\s+(?:\w+\s+)?(?:wrong|incorrect|invalid|impossible|a\s+mistake|bad)\b"
    r"|\b(?:ignore|disregard|scratch)\s+(?:that|this|it|the)\b|\b(?:do\s+not|don['’]t|never)\s+(?:use|do|follow|execute)\b"
    r"|\b(?:would|will|might|may|could)\s+(?:fail|not\s+work|be\s+wrong)\b|\b(?:fails|won['’]t\s+work|does\s+not\s+work)\b"
    r"|\b(?:not|no\s+longer)\s+(?:needed|necessary|required|possible|valid|correct|right|useful)\b"
    r"|\b(?:unnecessary|unneeded|redundant|superfluous|i\s+am\s+not\s+sure|i['’]m\s+not\s+sure|not\s+certain)\b",
    re.IGNORECASE,
)
#: What makes steps depend on something, right before them.
_DEPENDS = re.compile(
    r"\W*(?:if|unless|otherwise|else|or|when|in\s+case|perhaps|maybe|possibly)\b", re.IGNORECASE
)
#: Beside a single step of a list: that it is to be left out.
_LEAVES_OUT = re.compile(
    r"\b(?:remove[ds]?|skip(?:ped)?|dropp?(?:ed)?|delete[ds]?|omit(?:ted)?|optional|cancel\w*)\b", re.I
)
#: How words go on after steps on the same line.
_EXPLAINS = re.compile(
    r"[^\w\s(\[{]|\(|(?:because|since|as|so|to|for|in\s+order|which|where|this|that|due|and|means?|brings?|will)\b",
    re.IGNORECASE,
)
#: Whole sentences that say that the plan stays as it is.
_UNCHANGED = re.compile(
    r"(?:so\s+)?(?:there\s+(?:is|are)\s+)?no[\s_-]+(?:changes?|revisions?|modifications?|corrections?)(?:\s+(?:is|are))?"
    r"(?:\s+(?:needed|required|necessary))?"
    r"|(?:there\s+is\s+)?no\s+need\s+(?:to\s+(?:change|revise|modify)(?:\s+(?:anything|the\s+plan))?|for\s+(?:a\s+)?"
    r"(?:changes?|revisions?))"
    r"|nothing\s+(?:to\s+change|needs?\s+to\s+(?:be\s+changed|change)|has\s+to\s+(?:be\s+changed|change)|changes)"
    r"|(?:keep|leave)\s+the\s+plan(?:\s+(?:as\s+(?:it\s+)?is|unchanged))?"
    r"|the\s+plan\s+(?:is|stays|remains|can\s+stay|is\s+still)\s+(?:fine|good|ok|okay|correct|valid|unchanged|the\s+same|as\s+"
    r"it\s+is)(?:\s+as\s+it\s+is)?"
    r"|the\s+plan\s+(?:does\s+not|doesn['’]t|need\s+not)\s+(?:need\s+to\s+|have\s+to\s+)?(?:be\s+(?:changed|revised)|change)"
    r"|unchanged",
    re.IGNORECASE,
)


def is_new(before: str) -> bool:
    """Return whether the prose before steps says that they are those of the answer."""
    return bool(_NEW.search(last_clause(before))) and not is_old(before)


def takes_back(sentence: str) -> bool:
    """Return whether a sentence after steps takes them back, or makes them depend on something."""
    return bool(_TAKES_BACK.search(sentence))


def leaves_out(comment: str) -> bool:
    """Return whether a remark beside a step says that it is to be left out."""
    return bool(_LEAVES_OUT.search(comment))


def explains(text: str) -> bool:
    """Return whether words after steps on the same line are about them."""
    return bool(_EXPLAINS.match(text))


def says_unchanged(sentence: str) -> bool:
    """Return whether a sentence says that the plan stays as it is."""
    return bool(_UNCHANGED.fullmatch(sentence))


def introduces(leads: str, listed: bool) -> bool:
    """Return whether prose leads to steps: it ends as a sentence does, or with a colon."""
    return leads[-1] in (":=.!?-–—" if listed else ":=.!?") or leads.endswith(("->", "→"))


def last_clause(before: str) -> str:
    """The last clause of the prose before steps."""
    if before.rstrip().endswith((".", "!", "?")):
        return (sentences(before) or [""])[-1]
    return re.split(r"[.!?;,]\s", before)[-1]


def is_old(before: str) -> bool:
    """Return whether the prose before steps says that they were there before."""
    clause = last_clause(before)
    return before.rstrip().endswith((":", "=")) and bool(_OLD.search(clause)) and not _NEW.search(clause)


def is_against(before: str) -> bool:
    """Return whether the prose before steps says that they are not to be done, or only perhaps."""
    leads = before.rstrip().endswith((":", "=", "-", "–", "—", "→", ">"))
    against = _AGAINST if leads else _AGAINST_IN_SENTENCE
    clause = last_clause(before)
    return bool(against.search(clause) or _DEPENDS.match(clause))


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the marks around them."""
    parts = (part.strip(" \t\"'()#-–—/*") for part in re.split(r"[.!?:;\n]+(?:\s|$)", text))
    return [part for part in parts if part]
