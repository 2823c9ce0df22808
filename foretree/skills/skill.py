"""Skills: what a robot can do, described apart from how it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foretree.planning.pddl.syntax import Operator
from foretree.planning.plan import Action
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.world_model.beliefs.facts import Atom


@dataclass(frozen=True, slots=True)
class FailureFeedback:
    """Meaning of certain words in a robot's reason for a failure.

    "There is no room on it" is true until something is taken away, and "it has no switch" of what was taken
    for a stove says that it is none: the same order would fail again. So the file of a domain says under
    ``lessons`` what such words mean.

    Attributes:
        said: the words; any of them will do.
        then: what is so: an atom over what the action's arguments are called (``?place``); None if the
            lesson is about what something is.
        holds: whether it is so, or is not.
        unfit: what is not of a class that the action is for, called likewise; empty if nothing is.
    """

    said: tuple[str, ...]
    then: Atom | None = None
    holds: bool = True
    unfit: str = ""

    def matches(self, reason: str) -> bool:
        """Return whether the reason for a failure contains the words."""
        return any(words in reason for words in self.said)

    def renamed(self, names: Mapping[str, str]) -> FailureFeedback | None:
        """The same with everything called by other names; None if something has none."""
        used = [*(term for term in (self.then or ())[1:]), *([self.unfit] if self.unfit else [])]
        if any(term not in names for term in used):
            return None
        then = self.then and (self.then[0], *(names[term] for term in self.then[1:]))
        return FailureFeedback(self.said, then, self.holds, names.get(self.unfit, ""))


@dataclass(frozen=True)
class Skill:
    """A PDDL action plus how it is executed, what it holds, how long it may take, how people ask for it.

    Attributes:
        name: the same as its operator's.
        says: one sentence for a person.
        operator: the PDDL action.
        executor: which way of executing: a name that Foretree knows or ``package.module:Class``.
        resources: what it holds while it runs: parts of the robot (``base``, ``camera``) or parameters that
            name a part (``?hand``).
        time_out: seconds after which it is cancelled.
        retries: how often a failed attempt is repeated before a reviser is asked.
        certainty: how confident the belief must be in its preconditions.
        irreversible: whether it cannot be undone; such a skill's preconditions are looked at when stale.
        watch: whether preconditions that it does not delete itself preempt it when they cease to hold.
        confidence: how far its effects are believed when the robot says that it is done.
        success: the probability that one attempt does what it should where its preconditions hold; 1 where
            that is not known.
        parameters: handed to the robot with every order.
        forms: how people ask for it.
        does: what the robot is told to do; by default what the skill is called. Several operators of a domain
            can be one and the same thing to the robot.
        roles: what the robot calls each parameter (without ``?``) that it is told of; empty when it is told
            of all of them, by their own names.
        feedback: meaning of the robot's reasons for a failure, over the operator's parameters.
    """

    name: str
    says: str
    operator: Operator
    executor: str = "act"
    resources: tuple[str, ...] = ()
    time_out: float = 60.0
    retries: int = 1
    certainty: float = 0.6
    irreversible: bool = False
    watch: bool = True
    confidence: float = 0.9
    success: float = 1.0
    parameters: Mapping[str, object] = field(default_factory=dict)
    forms: tuple[PhraseTemplate, ...] = ()
    does: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    feedback: tuple[FailureFeedback, ...] = ()

    @property
    def order(self) -> str:
        """The skill that the robot is ordered to use."""
        return self.does or self.name

    def resources_of(self, action: Action) -> frozenset[str]:
        """The parts of the robot that *action* holds while it runs."""
        binding = {p.name: a for p, a in zip(self.operator.parameters, action.arguments, strict=True)}
        return frozenset(binding.get(resource, resource) for resource in self.resources)
