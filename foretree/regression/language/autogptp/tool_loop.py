"""The loop of tools that a scenario is pursued with: explore, suggest an alternative, plan, plan a part.

What is asked for and not known is explored for, at the place where it is likeliest; once every place has been
explored, something else is suggested for it; what is left without a plan then is left out. A tool is called
only where it can help. A plan is carried out in a world of its own.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from foretree.planning.pddl.syntax import And, Formula, PlanStep, literals_of, variables_in
from foretree.planning.semantics.evaluation import conjunction
from foretree.reasoning.alternatives import suggest_alternatives
from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline.lexicon import FUNCTION_WORDS
from foretree.reasoning.reasoner import Reasoner, Situation, Understanding
from foretree.regression.language._judgement import Response
from foretree.regression.language.autogptp.place_order import likeliest_place
from foretree.regression.language.autogptp.scene_planning import plan_in_scene
from foretree.regression.language.autogptp.scene_problem import SceneProblem
from foretree.regression.language.autogptp.substitutes import Substitutes, with_other_noun
from foretree.regression.language.suite import Tool
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.likely_places import LikelyPlaces

#: So often tools are called for one instruction at most.
MOST_CALLS = 40
#: So many things are suggested in place of a missing one at most.
MOST_SUGGESTED = 5


@dataclass
class Pursuit:
    """Outcome of an instruction.

    Attributes:
        goal: what was understood; None if nothing was.
        steps: the plan; empty if there is none, or nothing to be done.
        cost: of the plan.
        calls: how often each tool was called.
        to_goal: seconds on the wall that understanding took, the last time.
        to_plan: seconds on the wall from then to the plan.
        planned: whether there is a plan, for all or for a part.
        gave_up: the response where there is none.
        reason: why not, for a person.
    """

    goal: Formula | None = None
    steps: Sequence[PlanStep] = ()
    cost: int = 0
    calls: Counter[Tool] = field(default_factory=Counter)
    to_goal: float | None = None
    to_plan: float | None = None
    planned: bool = False
    gave_up: Response = "failed"
    reason: str = ""


class ToolLoop:
    """Pursues one instruction in one scene.

    Args:
        scene: everything there is.
        explored: the places that are explored at the start.
        reasoner: understands instructions.
        placer: knows what classes afford.
        likely: where things usually are.
        accepted: what a person takes in place of each missing class.
    """

    def __init__(
        self,
        scene: SceneProblem,
        explored: Collection[str],
        reasoner: Reasoner,
        placer: Placer,
        likely: LikelyPlaces,
        accepted: Mapping[str, Collection[str]],
    ) -> None:
        self._scene = scene
        self._explored = {*explored}
        self._reasoner = reasoner
        self._placer = placer
        self._likely = likely
        self._accepted = Substitutes(accepted, placer)
        self._ontology = scene.catalogue.ontology
        self._forms = tuple(form for skill in scene.catalogue.skills.values() for form in skill.forms)
        self._declined: set[tuple[str, str]] = set()

    def pursue(self, instruction: str) -> Pursuit:
        """Find out what is asked for, and a plan for it."""
        found = Pursuit()
        while found.calls.total() < MOST_CALLS:
            understood = self._understand(instruction, found)
            missing = understood.wanted if understood else self._unknown_classes(instruction)
            if understood is None and (found.gave_up == "asked" or not missing):
                return found
            if understood is not None and self._is_settled(understood, found):
                return found
            if self._explore(missing or self._lacking(found.goal), found):
                continue
            other = self._alternative(missing, instruction, found)
            if other is None:
                if missing:
                    named = " or ".join(name.replace("_", " ") for name in missing)
                    found.reason = f"There is no {named}, and nothing that would do instead."
                if understood is not None:
                    self._plan_part(understood, found)
                return found
            instruction = other
        found.reason = f"Gave up after {MOST_CALLS} calls of tools."
        return found

    def _is_settled(self, understood: Understanding, found: Pursuit) -> bool:
        """Plan for what was understood; False if something has to be found or replaced before."""
        if understood.answer:
            found.gave_up, found.reason = "answered", understood.answer
            return True
        if understood.constraints:
            found.gave_up = "refused"
            found.reason = "Conditions on the way are not planned for in scenarios of AutoGPT+P."
            return True
        if understood.wanted:
            return False
        if understood.left_out:
            found.reason = "; ".join(f"{part.words}: {part.why}" for part in understood.left_out)
        if len({self._steps(reading.goal) for reading in understood.readings}) > 1:
            found.gave_up = "asked"
            found.reason = f"Which is meant: {' or '.join(one.words for one in understood.readings)}?"
            return True
        return self._plan(understood.goal, "partial" if understood.left_out else "plan", found)

    def _steps(self, goal: Formula) -> tuple[PlanStep, ...] | None:
        solution = plan_in_scene(self._scene, goal, self.known)
        return None if solution is None else solution.steps

    @property
    def known(self) -> frozenset[str]:
        """The objects that are known by now."""
        return self._scene.known(self._explored)

    # -- understanding -----------------------------------------------------------------------------
    def _understand(self, instruction: str, found: Pursuit) -> Understanding | None:
        people = self._scene.scene.of("human")
        situation = Situation(
            beliefs=self._scene.belief(self.known).snapshot(),
            domain=self._scene.catalogue.domain,
            ontology=self._ontology,
            forms=self._forms,
            speaker=people[0] if len(people) == 1 else None,
        )
        begin = time.perf_counter()
        try:
            understood = self._reasoner.understand(instruction, situation)
        except InstructionError as error:
            found.gave_up = "asked" if isinstance(error, AmbiguousError) else "refused"
            found.reason = str(error)
            return None
        found.gave_up, found.reason = "failed", ""
        found.goal, found.to_goal = understood.goal, time.perf_counter() - begin
        return understood

    def _unknown_classes(self, instruction: str) -> tuple[str, ...]:
        """The classes that an instruction names and of which nothing is known."""
        words = re.findall(r"[^\W\d_]+", instruction.lower())
        found: dict[str, None] = {}
        at = 0
        while at < len(words):
            lengths = range(min(self._ontology.longest_name, len(words) - at), 0, -1)
            namings = ((n, self._ontology.named(" ".join(words[at : at + n]))) for n in lengths)
            length, naming = next(((n, one) for n, one in namings if one is not None), (1, None))
            is_noun = length > 1 or words[at] not in FUNCTION_WORDS  # "can"
            if naming is not None and is_noun and not self._knows(naming.class_name):
                found[naming.class_name] = None
            at += length
        return tuple(found)

    def _knows(self, class_name: str) -> bool:
        is_a = self._scene.catalogue.domain.is_a
        return any(is_a(self._scene.objects[name], class_name) for name in self.known)

    # -- tools -------------------------------------------------------------------------------------
    def _plan(self, goal: Formula, tool: Tool, found: Pursuit) -> bool:
        begin = time.perf_counter()
        solution = plan_in_scene(self._scene, goal, self.known)
        if solution is None:
            found.reason = "There is no plan with what is known."
            return False
        found.calls[tool] += 1
        found.to_plan = time.perf_counter() - begin
        found.steps, found.cost, found.planned = solution.steps, solution.cost, True
        return True

    def _plan_part(self, understood: Understanding, found: Pursuit) -> None:
        """Plan for as many parts of a goal as can be reached together."""
        kept: list[Formula] = []
        for part in understood.goal.parts if isinstance(understood.goal, And) else ():
            about = {variable.type for variable in variables_in(part)}
            if about.isdisjoint(understood.wanted):
                together = conjunction(*kept, part)
                if plan_in_scene(self._scene, together, self.known) is not None:
                    kept.append(part)
        if kept:
            self._plan(conjunction(*kept), "partial", found)

    def _explore(self, classes: Collection[str], found: Pursuit) -> bool:
        """Explore the place where things of these classes are likeliest; False if there is none left."""
        left = [place for place in self._scene.scene.locations if place not in self._explored]
        if not left:
            return False
        found.calls["explore"] += 1
        self._explored.add(likeliest_place(classes, self._scene.kinds_of(left), self._likely, self._placer))
        return True

    def _lacking(self, goal: Formula | None) -> tuple[str, ...]:
        """The classes of tools that a goal takes and of which nothing that would do is known."""
        if goal is None:
            return ()
        domain, mapping = self._scene.catalogue.domain, self._placer.mapping
        asked = {literal.atom[0] for literal in literals_of(goal)}
        needed = {
            parameter.type
            for operator in domain.operators.values()
            if any(effect.literal.atom[0] in asked for effect in operator.effects)
            for parameter in operator.parameters
            if parameter.type in mapping.affordances and not self._knows(parameter.type)
        }
        return tuple(
            name for name in mapping.classes for one in needed if mapping.probability(name, one) >= LIKELY
        )

    def _alternative(self, missing: Iterable[str], instruction: str, found: Pursuit) -> str | None:
        """The instruction with something else in place of a missing thing; None if nothing would do."""
        here = {name: self._scene.objects[name] for name in self.known.difference(self._scene.agents)}
        for one in missing if self._accepted else ():
            for _ in range(MOST_SUGGESTED):
                if (suggested := self._suggested(one, instruction, here)) is None:
                    break
                found.calls["alternative"] += 1
                self._declined.add((one, suggested))
                if self._accepted.accepts(one, suggested):
                    return with_other_noun(instruction, one, suggested, self._ontology)
        return None

    def _suggested(self, missing: str, instruction: str, here: Mapping[str, str]) -> str | None:
        """The class that would do best in place of a missing one, of those that were not suggested yet."""
        things = {name: kind for name, kind in here.items() if (missing, kind) not in self._declined}
        for one in suggest_alternatives(missing, instruction, things, self._placer):
            if self._scene.serves(things[one.thing], one.affords):
                return things[one.thing]
        return None
