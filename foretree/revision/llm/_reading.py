"""Reading the answers about a situation: of the readings of one, the one that reaches the goal."""

from __future__ import annotations

from collections.abc import Sequence

from foretree.planning.plan import Action
from foretree.revision._simulator import StateDelta
from foretree.revision.llm._action_space import ActionSpace
from foretree.revision.llm._notation import AnswerContext, PlanEdit, readings
from foretree.revision.llm._prompt import ListedStep, edited, forms_of
from foretree.revision.llm._realisation import StepRealiser, UnrealisableError
from foretree.revision.llm._words import AnswerVocabulary, UnreadableAnswerError
from foretree.revision.revision import RevisionRequest
from foretree.world_model.beliefs.facts import HOLDING, WHEREABOUTS
from foretree.world_model.ontology import Ontology


class EditReader:
    """Reads the answers about one situation.

    Args:
        request: the situation.
        space: the action space.
        realiser: turns steps into plans.
        start: the state in which the plan begins.
        plan: the remaining plan, as the model gets to see it.
        irreversible: the types of action that cannot be undone.
        ontology: knows other words for classes, if there is one.
    """

    def __init__(
        self,
        request: RevisionRequest,
        space: ActionSpace,
        realiser: StepRealiser,
        start: StateDelta,
        plan: Sequence[ListedStep],
        irreversible: frozenset[str],
        ontology: Ontology | None = None,
    ) -> None:
        self._request = request
        self._space = space
        self._realiser = realiser
        self._start = start
        self._plan = plan
        self._irreversible = irreversible
        known = set(request.task.types.values())
        classes = {name: name in known for name in {*request.task.domain.types, *known}}
        done = [action for action in request.done if space.shape_of(action.skill) is not None]
        lasting = [realiser.simulator.done(start, request.task.ground(action)) for action in done]
        self._words = AnswerVocabulary(space.shapes, space.moves, classes, self._placeholders(done), ontology)
        # To do again what has come undone is no repetition.
        forms = [
            forms_of(action, request, space, realiser.notation) if lasts else ()
            for action, lasts in zip(done, lasting, strict=True)
        ]
        self._context = AnswerContext([step.forms for step in plan], forms)

    def actions(self, text: str) -> tuple[Action, ...]:
        """Return the rest of the plan that an answer means, checked in simulation.

        Raises:
            UnreadableAnswerError: it has no reading, or two that both reach the goal.
            UnrealisableError: what it means does not reach the goal; the message says how far it gets.
        """
        edits = readings(text, self._realiser.notation, self._words, self._context)
        found: dict[tuple[tuple[str, tuple[str, ...]], ...], tuple[Action, ...]] = {}
        refusal: UnreadableAnswerError | UnrealisableError | None = None
        for edit in edits:
            try:
                actions = self._realised(edit)
            except (UnreadableAnswerError, UnrealisableError) as error:
                refusal = refusal or error
            else:
                found.setdefault(tuple((action.skill, action.arguments) for action in actions), actions)
        if len(found) > 1:
            ways = " or ".join(", ".join(map(str, actions[:4])) or "nothing" for actions in found.values())
            raise UnreadableAnswerError(f"the answer can be read in {len(found)} ways: {ways}")
        if not found:
            assert refusal is not None
            raise refusal
        return next(iter(found.values()))

    def _realised(self, edit: PlanEdit) -> tuple[Action, ...]:
        left = len(self._plan)
        if edit.passes > left and not (self._realiser.notation == "triplets" and edit.steps):
            raise UnreadableAnswerError(
                f"the answer takes away {edit.passes} steps of a plan that has {left} left"
            )
        steps = edited(self._plan, edit, self._space)
        actions = self._realiser.realise(self._start, steps, self._request.goal)
        self._refuse_needless_irreversible(steps)
        return actions

    def _refuse_needless_irreversible(self, steps: Sequence[ListedStep]) -> None:
        """Refuse irreversible actions that are not needed: a plan may reach its goal and do harm on the way.

        Raises:
            UnrealisableError: the goal can be reached without it.
        """
        new = [index for index, step in enumerate(steps) if step.action is None]
        for index in new:
            if steps[index].step.action not in self._irreversible:
                continue
            # Other steps may be there for its sake only, before it or after.
            for dropped in ({index}, {other for other in new if other >= index}, set(new)):
                left = [step for other, step in enumerate(steps) if other not in dropped]
                if self._realiser.leads_to(self._start, left, self._request.goal):
                    written = steps[index].step.written(self._realiser.notation)
                    raise UnrealisableError(f"{written} cannot be undone, and the goal is reached without it")

    # -- placeholders ------------------------------------------------------------------------------------
    def _placeholders(self, done: Sequence[Action]) -> dict[str, str]:
        """Bind *Target* and *Parent*: to what was just taken, or is taken next, and to where it rests."""
        planned = [step.action for step in self._plan if step.action is not None]
        taken = [action for action in reversed(done) if self._holds_subject(action)][:1]
        for action in (*taken, *planned):
            subject, parent = self._named(action)
            if subject is None or self._is_fixed(subject):
                continue
            found = {"target": self._class_of(subject)}
            if parent is not None and (action in taken or self._is_at(subject, parent)):
                found["parent"] = self._class_of(parent)
            return found
        for action in planned[:1]:
            shape = self._space.shape_of(action.skill)
            if shape is not None and shape.target is not None:
                return {"target": self._class_of(action.arguments[shape.target])}
        return {}

    def _named(self, action: Action) -> tuple[str | None, str | None]:
        """The thing that an action is about, and where that rests or comes to rest."""
        shape = self._space.shape_of(action.skill)
        if shape is None:
            return None, None
        subject = None if shape.subject is None else action.arguments[shape.subject]
        return subject, None if shape.parent is None else action.arguments[shape.parent]

    def _holds_subject(self, action: Action) -> bool:
        subject, _ = self._named(action)
        return subject is not None and any(atom[-1] == subject for atom in self._start.matching(HOLDING))

    def _is_at(self, thing: str, place: str) -> bool:
        """Return whether a thing is where the plan has it: else its parent may be the one or the other."""
        at = self._request.beliefs.placement(WHEREABOUTS, thing)
        return at is None or at[-1] == place or at[0] == HOLDING

    def _is_fixed(self, name: str) -> bool:
        entity = self._request.beliefs.entity(name)
        return entity is None or entity.fixed

    def _class_of(self, name: str) -> str:
        return self._request.classes.get(name) or self._request.task.types.get(name, "object")
