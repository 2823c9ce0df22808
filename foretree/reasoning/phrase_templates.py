"""Phrase templates: the wordings by which people ask for a skill, as data for a reasoner."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PhraseTemplate:
    """A wording by which people ask for a skill, and the goal that it stands for.

    ``say`` is a phrase with the skill's parameters in braces and alternatives in brackets,
    ``(put|place) {item} (on|onto) {place}``; ``goal`` is a PDDL formula over the same parameters. ``skill``
    names the action, whose parameters say of which type each thing must be, and whose preconditions say what
    it must afford.

    ``operators`` names the actions that do what the words say; the goal must be out of reach without one of
    them, done to the things that the words name. Not so if it is a ``wish``: a state, however it comes about.
    """

    say: str
    goal: str
    skill: str
    operators: tuple[str, ...] = ()
    wish: bool = False
