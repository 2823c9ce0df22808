"""Lifting of rules: "you may touch the plate again", "forget about the drawer rule"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress

from foretree.agent.dialogue.claims import called
from foretree.agent.mission import Mission
from foretree.planning.constraints.constraints import (
    Always,
    Constraint,
    NeverUse,
    formulas_of,
    named_by,
    show_constraint,
)
from foretree.planning.pddl.syntax import Formula, Typed
from foretree.planning.semantics.evaluation import conjuncts, negate
from foretree.reasoning.instruction_errors import InstructionError, NotPossibleError
from foretree.reasoning.offline.phrases.mentions import classes_and_names
from foretree.reasoning.reasoner import Situation, Understanding

_NOW = r"(?: again| now| after all| from now on| once more| as (?:before|you like))*"
_ALLOWED = re.compile(
    r"(?:(?:ok|okay|well|now|so|but|please|from now on),? )*"
    r"(?:you(?: now| again)? (?:may|can|might|could|are(?: now| again)? allowed to|are free to)"
    r"(?: now| again)?"
    r"|feel free to|(?:it is|it's|that is|that's) (?:ok|okay|fine|all right|alright|allowed)"
    rf"(?: now| again)? (?:for you )?(?:if you|to)) (?P<deed>.+?){_NOW}"
)
_RULE = r"(?:rules?|bans?|prohibitions?|restrictions?|constraints?|conditions?)"
_DROP = (
    r"(?:forget(?: about)?|never ?mind(?: about)?|ignore|disregard|drop|lift|cancel|remove|delete|revoke"
    r"|take back|scrap)"
)
_SAID = (
    r"(?:what (?:i|we)(?: have|'ve)? (?:said|told you|asked|ordered)|what you were told|my words"
    r"|my instructions?)"
)
_ABOUT = r"(?:about|on|for|concerning|regarding|of|with|against)"
_OVER = r"(?:is|are) (?:over|lifted|gone|off|cancelled|no longer (?:in force|valid)|not in force any more)"
_TOPICS = tuple(
    re.compile(
        rf"(?:(?:ok|okay|please|well|now|you can|you may),? )*{wording}"
        r"(?: any ?more| any longer| now| please)*"
    )
    for wording in (
        rf"{_DROP} {_SAID} {_ABOUT} (?P<topic>.+?)",
        rf"{_DROP} (?:the|that|my|all|any|every) {_RULE} {_ABOUT} (?P<topic>.+?)",
        rf"{_DROP} (?P<topic>(?:the|my|that) .+?) {_RULE}",
        rf"{_DROP} (?:(?:all|the|that|my|your|every|any|all the|all my|all of the|the last) )?{_RULE}",
        rf"(?P<topic>(?:the|my|that) .+?) {_RULE} (?:{_OVER}|no longer (?:applies|apply|counts?|holds?)"
        r"|(?:does|do) not (?:apply|count|hold))",
        rf"(?:the|that) {_RULE} {_ABOUT} (?P<topic>.+?) (?:{_OVER}|no longer (?:applies|apply|counts?|holds?)"
        r"|(?:does|do) not (?:apply|count|hold))",
    )
)


class RuleLifter:
    """Finds out whether words lift a rule, and lifts it.

    Args:
        mission: has the rules.
        known: what is known.
        read: reads a request.
    """

    def __init__(self, mission: Mission, known: Situation, read: Callable[[str], Understanding]) -> None:
        self._mission = mission
        self._known = known
        self._read = read

    def lift(self, words: str) -> str:
        """Lift the rules that *words* lift, and return what is said to that; empty if they lift none.

        Raises:
            NotPossibleError: there is no such rule, a wider one forbids it too, or it is another person's.
        """
        plain = " ".join(words.lower().replace("’", "'").split()).strip(" .!")
        allowed = _ALLOWED.fullmatch(plain)
        if allowed is not None and self._mission.given_constraints:
            return self._drop(self._forbidding(allowed["deed"]))
        topic = next(filter(None, (form.fullmatch(plain) for form in _TOPICS)), None)
        if topic is None:
            return ""
        about = topic.groupdict().get("topic") or ""
        rules = list(self._about(about))
        if not rules:
            kept = " and ".join(map(show_constraint, self._mission.given_constraints)) or "none"
            raise NotPossibleError(f"I keep to no such rule. Rules in force: {kept}.")
        return self._drop(rules)

    def _about(self, topic: str) -> Iterator[Constraint]:
        """Yield the rules about what *topic* names; all of them without one."""
        meant = set(classes_and_names(topic, self._known)) if topic else set()
        for rule in self._mission.given_constraints:
            objects = rule.objects if isinstance(rule, NeverUse) else ()
            types = {term.type for term in objects if isinstance(term, Typed)}
            if not topic or meant & {*named_by(rule), *types}:
                yield rule

    def _forbidding(self, deed: str) -> list[Constraint]:
        """Return the rules that forbid a deed.

        Raises:
            NotPossibleError: a wider rule forbids it too.
        """
        try:
            asked = self._read(f"never {deed}").constraints
        except InstructionError:
            return []
        goal: tuple[Formula, ...] = ()
        with suppress(InstructionError):
            goal = tuple(conjuncts(negate(self._read(deed).goal)))
        found: list[Constraint] = []
        for rule in self._mission.given_constraints:
            states = (part for formula in formulas_of(rule) for part in conjuncts(formula))
            stated = isinstance(rule, Always) and any(part in goal for part in states)
            if stated or any(_covers(one, rule) for one in asked):
                found.append(rule)
            elif any(_covers(rule, one) for one in asked):
                raise NotPossibleError(
                    f"I keep to {show_constraint(rule)}, which forbids more than that. Lift all of it, as in "
                    f'"you may touch {" and ".join(named_by(rule)) or "it"} again".'
                )
        return found

    def _drop(self, rules: list[Constraint]) -> str:
        mission = self._mission
        if not rules:
            return ""
        for claim in (*mission.claims, *mission.standing):
            if claim.by and claim.by != mission.by and set(rules) & {*claim.constraints}:
                raise NotPossibleError(f"{claim.told}. So {called(claim.by)} has to lift that.")
        mission.lift(rules)
        return f"I no longer keep to {' and '.join(map(show_constraint, rules))}."


def _covers(one: Constraint, other: Constraint) -> bool:
    """Return whether a rule forbids all that another one forbids."""
    if one == other:
        return True
    if not isinstance(one, NeverUse) or one.action is not None:
        return False
    objects = {*one.objects}
    if isinstance(other, NeverUse):
        return bool(objects) and objects <= {*other.objects}
    return bool(objects) and objects <= {*named_by(other)}
