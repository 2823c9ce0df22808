"""Reading the instruction of a mission: what the reasoner makes of it, in the situation as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.claims import called
from foretree.agent.dialogue.conversation import Utterance, follows, intent_of, names_a_thing
from foretree.agent.dialogue.feasibility import feasibility
from foretree.agent.dialogue.former_state import FormerState, is_busy, touched_things
from foretree.agent.dialogue.telling import Teller
from foretree.agent.discovery.place_search import unsearched
from foretree.agent.learning.complaints import believe_words, fit_goal, say_complaints
from foretree.agent.mission import Mission, located
from foretree.clock import Deferred
from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import And, show
from foretree.reasoning.dangers import refuse_dangerous
from foretree.reasoning.goal_meaning import refuse_excluded
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotUnderstoodError,
)
from foretree.reasoning.reasoner import (
    DeferringReasoner,
    Reasoner,
    Situation,
    Understanding,
    begin_to_understand,
)

if TYPE_CHECKING:
    from foretree.agent.learning.success_model import SuccessModel

#: A person of whom the scene tells no name.
_NAMELESS = re.compile(r"person_?\d*")


class InstructionReader:
    """Has a reasoner read the instruction of a mission, as often as there is news.

    Args:
        context: knows what there is.
        mission: has the instruction, and gets the goal.
        reasoner: turns one into the other.
    """

    def __init__(self, context: AgentContext, mission: Mission, reasoner: Reasoner) -> None:
        self._context = context
        self._mission = mission
        self._reasoner = reasoner

    def begin(self, words: str = "") -> Deferred[Understanding]:
        """Have the reasoner read *words* of who spoke last; the instruction, unless others are given."""
        context = self._context
        mission, beliefs = self._mission, context.belief.snapshot()
        if not mission.past:
            mission.past = (beliefs,)
        # The mission's own request is about what was so when it was begun; what is said meanwhile, about now.
        past, now = (mission.past, beliefs) if words else (mission.past[:-1], mission.past[-1])
        said, words = words, words or mission.instruction
        spoken_of = {name for group in mission.spoken_of for one in group for name in one.possible}
        touched = touched_things(context) | spoken_of
        former = FormerState(past, now, touched, busy=bool(said) and is_busy(context))
        known = replace(situation(context, mission), spoken_of=mission.spoken_of, former=former)
        return begin_to_understand(self._reasoner, words, known, context.clock)

    def in_full(self, words: str) -> str:
        """Return the instruction in what a person says, with what it leaves out of the one before.

        "And the plate too" is "put the plate into sink1" after "put the mug into the sink"; "no, on the
        shelf" is "put the mug on the shelf".

        Raises:
            InstructionError: what it is said in place of, or what would be meant, cannot be told.
        """
        mission, (intent, said) = self._mission, intent_of(words)
        if not follows(words) or isinstance(self._reasoner, DeferringReasoner):
            return said  # a model is told of what was said before
        from foretree.reasoning.offline.said_anew import RequestBefore, correction_of  # dear to load

        correction = correction_of(said)
        if not mission.how or not (correction.is_place or names_a_thing(correction.said)):
            return said
        before = RequestBefore(mission.how, situation(self._context, mission))
        if not before.may_correct(correction) and self._difficulty(said) is None:
            return said  # "the drawer must stay shut"
        difficulty: InstructionError | None = None
        for likely in before.with_correction(correction, further=intent == "extend"):
            read = [(full, self._difficulty(full)) for full in likely]
            meant = [full for full, error in read if error is None]
            if len(meant) > 1:
                said_so = " or ".join(f'"{full}"' for full in meant)
                raise NotUnderstoodError(
                    f'What "{correction.said}" is said in place of is not clear. Say {said_so}.'
                )
            if meant:
                return meant[0]
            difficulty = difficulty or next((error for _, error in read if error is not None), None)
        if difficulty is not None:
            raise difficulty
        if not correction.is_place:
            return said
        raise NotUnderstoodError(
            f'I cannot tell what "{correction.said}" is said in place of. Say the whole request anew.'
        )

    def _difficulty(self, instruction: str) -> InstructionError | None:
        """Return why an instruction makes no sense; None if it does, or may once more is known."""
        try:
            self.begin(instruction).result()
        except AmbiguousError as error:
            return None if error.among else error
        except NoSuchThingError as error:
            return None if error.wanted else error
        except InstructionError as error:
            return error
        return None

    def lift_rules(self, words: str) -> str:
        """Lift the rules that *words* lift, and return what is said to that; empty if they lift none.

        Raises:
            NotPossibleError: there is no such rule, or it cannot be lifted so.
        """
        if isinstance(self._reasoner, DeferringReasoner):
            return ""
        from foretree.agent.dialogue.lifted_rules import RuleLifter  # dear to load

        mission = self._mission
        lifter = RuleLifter(
            mission, situation(self._context, mission), lambda said: self.begin(said).result()
        )
        return lifter.lift(words)

    def accept(self, understood: Understanding) -> None:
        """Set the goal, and all else that the reasoner has made of the instruction.

        Raises:
            ConstraintError: something is to be kept to on the way that cannot be.
            UnsafeError: it asks for what is dangerous.
            GoalMeaningError: it asks for what the domain's conditions exclude.
        """
        mission = self._mission
        entities = self._context.belief.snapshot().entities()
        classes = {name: entity.best_class for name, entity in entities.items()}
        known = situation(self._context)
        for goal in (understood.goal, *(reading.goal for reading in understood.readings)):
            refuse_dangerous(goal, classes)
            refuse_excluded(goal, known)
        constraints = tuple(dict.fromkeys((*mission.given_constraints, *understood.constraints)))
        self._context.keep_to(constraints)
        mission.constraints = constraints
        mission.goal, avoided = fit_goal(self._context, understood.goal, understood.sentence)
        mission.avoided = say_complaints(avoided)
        mission.how = understood.sentence
        if avoided:
            mission.how += f"; {mission.avoided.rstrip('.').replace('You', 'you', 1)}"
        mission.wanted = understood.wanted
        mission.answer = understood.answer
        mission.readings = tuple(
            replace(one, goal=fit_goal(self._context, one.goal, understood.sentence)[0])
            for one in understood.readings
        )
        mission.left_out = understood.left_out
        mission.in_place = understood.in_place
        self._context.expect(understood.hints)
        mission.replaced = ()
        mission.spoken_of = understood.spoken_of
        mission.more_of, mission.refusal = {}, None
        self.keep_in_mind(understood)

    def keep_in_mind(self, understood: Understanding) -> None:
        """Take in what was said of what things afford."""
        if not understood.remarks:
            return
        experience = _success_model(self._context).experience
        for remark in understood.remarks:
            experience.affordances.take(remark)
        believe_words(self._context)
        experience.keep(self._context.recorder)

    def search_for(self, error: NoSuchThingError) -> None:
        """Have the mission look for what is meant: something of a class, other than what is known of it."""
        mission = self._mission
        beliefs, domain = self._context.belief.snapshot(), self._context.catalogue.domain
        mission.refusal, mission.reason = error, str(error)
        mission.goal = And(())
        mission.more_of = {
            class_name: frozenset(
                name
                for name, entity in beliefs.entities().items()
                if domain.is_a(entity.best_class, class_name) and located(name, beliefs)
            )
            for class_name in error.wanted
        }


def _success_model(context: AgentContext) -> SuccessModel:
    """Return the success model of a session; one that begins without experience if it has none yet."""
    if context.success is None:
        from foretree.agent.learning.experience import Experience  # most sessions do without
        from foretree.agent.learning.success_model import SuccessModel

        entity = context.belief.entity
        context.success = SuccessModel(
            context.catalogue.skills, Experience(entity, embed=context.embed), entity
        )
    return context.success


def record_goal(context: AgentContext, mission: Mission) -> None:
    """Record the goal, how it came about, what is kept on the way, and the answer to a question."""
    assert mission.goal is not None
    further = {
        "answer": mission.answer,
        "constraints": [show_constraint(constraint) for constraint in mission.constraints],
        "replaced": list(mission.replaced),
    }
    said: dict[str, Any] = {name: value for name, value in further.items() if value}
    if any(claim.by for claim in mission.claims):
        said["asked"] = [[claim.by, claim.words] for claim in mission.claims]
    context.recorder.record("goal.set", goal=show(mission.goal), how=mission.how, **said)


def record_words(context: AgentContext, said: Utterance) -> None:
    """Record what a person says, and remember it."""
    context.journal.said.append(said.words)
    context.recorder.record("person.said", words=said.words, **({"by": said.by} if said.by else {}))


def record_reply(context: AgentContext, mission: Mission, text: str) -> None:
    """Say *text* to the person who spoke last, and record it."""
    mission.conversation.reply = text
    to = {"to": called(mission.by)} if mission.by else {}
    context.recorder.record("person.told", text=text, **to)


def situation(context: AgentContext, mission: Mission | None = None) -> Situation:
    """Return what a reasoner may know about the world when it reads an instruction.

    Args:
        context: what the agent knows.
        mission: what goes on, for questions about it.
    """
    catalogue, places = context.catalogue, context.places
    people = [place.name for place in places.places() if place.kind == "person"]
    speaker, stranger = _speaker(people, mission)
    return Situation(
        beliefs=context.belief.snapshot(),
        domain=catalogue.domain,
        ontology=catalogue.ontology,
        forms=tuple(form for skill in catalogue.skills.values() for form in skill.forms),
        speaker=speaker,
        stranger=stranger,
        rooms={place.name: place.room for place in places.places()},
        unsearched=unsearched(context),
        discovered=context.tracker.discovered,
        account=lambda: Teller(context, mission).account(),
        feasible=partial(feasibility, context),
    )


def _speaker(people: Sequence[str], mission: Mission | None) -> tuple[str | None, str]:
    """Return which of *people* speaks, or the name of the speaker who is none of them.

    A person without a name, such as ``person1``, is the first one who speaks, if there is no other. With
    several people about and none named, it is not clear who "me" is.
    """
    by = mission.by if mission is not None else ""
    named = next((name for name in people if name.lower() == by.lower()), None)
    if named is not None:
        return named, ""
    if not by or mission is None:
        return (people[0] if len(people) == 1 else None), ""
    if len(people) == 1 and _NAMELESS.fullmatch(people[0]) and (mission.voices or (by,))[0] == by:
        return people[0], ""
    return None, called(by)
