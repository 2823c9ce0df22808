"""The agent's account of itself, made of its journal when a question is about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.planning.constraints.constraints import show_constraint
from foretree.reasoning.account import Account, Deed, SessionAccount
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.runs.event_kinds import DiscrepancyFound, PlanMade, RevisionMade
from foretree.runs.events import Event
from foretree.runs.views.run_state import ActionState, RunState

_CHOICE = re.compile(r"\(([^)]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")
_ACTION = re.compile(r"\b\w+ (\w+)\(([^)]*)\)")
#: With these, an action was begun or is done with.
_BEGUN = frozenset({"running", "done", "failed", "cancelled", "lost", "skipped"})


class Teller:
    """Puts the agent's doing into words.

    Args:
        context: knows the robots, the skills and the journal.
        mission: what goes on; None if nothing does.
    """

    def __init__(self, context: AgentContext, mission: Mission | None = None) -> None:
        self._context = context
        self._mission = mission
        self._robots = tuple(member.robot.name for member in context.team)
        entities = context.belief.entities()
        hands = {name for name, entity in entities.items() if entity.best_class == "hand"}
        self._unsaid = hands.union(self._robots, *(member.robot.hands for member in context.team))

    def account(self) -> Account:
        """Return what the agent can tell of itself now."""
        sessions = [self._session(events) for events in self._context.journal.runs()]
        skills = sorted(name.replace("_", " ") for name in self._context.catalogue.skills)
        kept = self._kept(self._mission, busy=False)
        told = (self._mission.instruction,) if self._mission is not None else ()
        said = tuple(dict.fromkeys(filter(None, (*told, *self._context.journal.said))))
        return Account(self._context.clock.now(), self._robots, tuple(sessions), tuple(skills), kept, said)

    def _session(self, events: Sequence[Event]) -> SessionAccount:
        state = RunState()
        mission = self._mission if self._context.journal.is_latest(events) else None
        assumed: dict[str, None] = {}
        keeps: Sequence[str] = ()
        needed: dict[str, dict[str, None]] = {}
        for event in events:
            state.apply(event)
            data = state.latest
            if isinstance(data, PlanMade | RevisionMade):
                assumed.update(dict.fromkeys(str(one) for one in data.assumptions))
                for producer, atom, consumer in data.links:
                    needed.setdefault(producer, {})[self._need(state, atom, consumer)] = None
            if event.kind == "goal.set":
                keeps = tuple(event.data.get("constraints", ()))
        deeds = {name: self._deed(state, action, needed) for name, action in state.actions.items()}
        began = sorted(
            (one for one in state.actions.values() if one.status in _BEGUN),
            key=lambda one: one.started if one.started is not None else one.ended or 0.0,
        )
        dropped = [one.id for one in state.actions.values() if one.status == "dropped"]
        coming = [name for name in state.plan if state.actions[name].status in ("planned", "intended")]
        instruction = mission.instruction if mission is not None else state.instruction
        return SessionAccount(
            instruction=instruction or state.goal,
            how=state.how,
            outcome=state.outcome,
            reason=state.ended.reason if state.ended is not None else "",
            deeds=tuple(deeds[name] for name in (*dropped, *(one.id for one in began))),
            coming=tuple(deeds[name] for name in coming),
            troubles=tuple(self._troubles(state)),
            changes=tuple(revision.why for revision in state.revisions if revision.why),
            assumptions=tuple(assumed),
            left_out=tuple((one.words, one.why) for one in mission.left_out) if mission is not None else (),
            keeps=self._kept(mission, busy=state.ended is None) if mission is not None else tuple(keeps),
            seconds_left=self._seconds_left(state, [state.actions[name] for name in coming]),
        )

    @staticmethod
    def _kept(mission: Mission | None, busy: bool) -> tuple[str, ...]:
        """Return what is kept to now: in a run, for what it is about as well."""
        if mission is None:
            return ()
        rules = dict.fromkeys((*mission.given_constraints, *(mission.constraints if busy else ())))
        return tuple(map(show_constraint, rules))

    def _troubles(self, state: RunState) -> list[str]:
        """Return what was not as expected, and what failed, in the order of the record."""
        said = [(found.time, self._surprise(found)) for found in state.discrepancies]
        for action in state.actions.values():
            if action.status in ("failed", "lost"):
                why = f": {action.reason}" if action.reason else ""
                said.append((action.ended or 0.0, f"{self.words(action).capitalize()} {action.status}{why}."))
        return [text for _, text in sorted(said, key=lambda one: one[0])]

    @staticmethod
    def _surprise(found: DiscrepancyFound) -> str:
        text = found.sentence or f"I expected {found.expected} and found {found.seen}"
        return text if text.endswith(".") else f"{text}."

    def _seconds_left(self, state: RunState, coming: Sequence[ActionState]) -> float | None:
        """Return the time for the rest, at the pace of what was done."""
        done = [one for one in state.actions.values() if one.status == "done" and one.started is not None]
        spent = sum((one.ended or 0.0) - (one.started or 0.0) for one in done)
        cost = sum(one.cost for one in done)
        if not cost or spent <= 0:
            return None
        pace, now = spent / cost, self._context.clock.now()
        running = sum(max(0.0, one.cost * pace - (now - (one.started or now))) for one in state.running())
        return running + pace * sum(one.cost for one in coming)

    # -- words -------------------------------------------------------------------------------------
    def _deed(self, state: RunState, action: ActionState, needed: Mapping[str, Mapping[str, None]]) -> Deed:
        robot = next((name for name in action.arguments if name in self._robots), "")
        return Deed(
            action.skill,
            tuple(name for name in action.arguments if name not in self._unsaid),
            self.words(action),
            "planned" if action.status == "intended" else action.status,
            action.reason,
            tuple(needed.get(action.id, ())),
            robot if len(self._robots) > 1 else "",
        )

    def _need(self, state: RunState, atom: object, consumer: str) -> str:
        if consumer == "goal":
            return "the goal"
        later = state.actions.get(consumer)
        return f"I could not {self.words(later)} otherwise" if later is not None else "a later step needs it"

    def words(self, action: ActionState) -> str:
        """Return an action in the words by which it is asked for; by its name where it has none."""
        skill = self._context.catalogue.skills.get(action.skill)
        if skill is not None:
            names = [parameter.name.lstrip("?") for parameter in skill.operator.parameters]
            values = dict(zip(names, action.arguments, strict=False))
            for form in skill.forms:
                said = _filled(form, values)
                if said:
                    return said
        plain = [name for name in action.arguments if name not in self._unsaid]
        return " ".join((action.skill.replace("_", " "), *plain))


def _filled(form: PhraseTemplate, values: Mapping[str, str]) -> str:
    """Return a wording with the things of an action; empty where it lacks one."""
    if not all(slot in values for slot in _SLOT.findall(form.say)):
        return ""
    stem = form.skill.split("_")[0]

    def chosen(choice: re.Match[str]) -> str:
        words = choice[1].split("|")
        like = [word for word in words if word.startswith(stem) or stem.startswith(word)]
        return stem if stem in words else (like or words)[0]

    said = _CHOICE.sub(chosen, form.say)
    return _SLOT.sub(lambda slot: values[slot[1]], said)
