"""Words by which clauses are told apart."""

from __future__ import annotations

from typing import TypeAlias

#: The words of a part of a sentence.
Words: TypeAlias = tuple[str, ...]

#: They join clauses, and say nothing else.
JOINTS = frozenset({",", "and", "but", "so", "then", "plus", "or", "nor", "also"})
#: Conjunctions of several words, the longest first, with the one word of the same meaning.
MARKERS: tuple[tuple[Words, str], ...] = (
    (("as", "soon", "as"), "when"),
    (("as", "long", "as"), "if"),
    (("in", "case"), "if"),
    (("provided", "that"), "if"),
    (("assuming", "that"), "if"),
    (("now", "that"), "because"),
    (("seeing", "that"), "because"),
    (("even", "though"), "although"),
    (("even", "if"), "although"),
    (("so", "that"), "so that"),
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
PREPOSITIONAL = frozenset({"before", "after", "since", "until", "till", "as", "for"})
#: They number the deeds of a list.
ORDINALS = frozenset(
    {"first", "second", "third", "fourth", "fifth", "finally", "lastly", "next", "afterwards"}
)
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
#: Verbs of asking, which "if" follows without a condition.
WONDERING = frozenset({"wonder", "ask", "see", "check", "mind", "know"})
