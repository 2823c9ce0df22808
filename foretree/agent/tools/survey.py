"""The survey of the tools: which of them can help now, and why the others cannot.

Planning cannot help before what is needed is known, exploring where all is explored, another thing in place
of one that is there, a part of the goal that was done before. Such tools may not be chosen, whatever chooses.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from foretree.agent.context import AgentContext
from foretree.agent.discovery.place_search import PlaceSearch
from foretree.agent.mission import Lack, Mission
from foretree.agent.tools.chooser import ToolName, ToolSituation
from foretree.agent.tools.feasibility import Feasibility
from foretree.agent.tools.parts import GoalParts
from foretree.agent.tools.substitution import Substitution
from foretree.planning.pddl.syntax import show

#: The tools by which something is done.
ACTING: tuple[ToolName, ...] = ("plan", "partial", "explore", "alternative")
_ASK: ToolName = "ask"


class ToolSurvey:
    """Finds out which tools can help.

    Args:
        context: the shared ground.
        mission: what it is about.
        places: knows what is left to explore.
    """

    def __init__(self, context: AgentContext, mission: Mission, places: PlaceSearch) -> None:
        self._context = context
        self._mission = mission
        self._places = places
        self.feasibility = Feasibility(context)
        self.parts = GoalParts(context, mission, self.feasibility)
        self.substitution = Substitution(context, mission, self.feasibility)

    def situation(self, failed: Collection[ToolName], called: Sequence[ToolName] = ()) -> ToolSituation:
        """Return the situation in which the next tool is chosen.

        Args:
            failed: tools that have come to nothing since anything else was done.
            called: the tools that were called so far.
        """
        mission = self._mission
        assert mission.goal is not None
        why_not: dict[ToolName, str] = {}
        hope = 0.0
        lacks: list[Lack] = []
        if mission.refusal is not None and not mission.more_of:
            why_not.update(dict.fromkeys((*ACTING, _ASK), "what was said cannot be done"))
        elif mission.readings:
            why_not.update(dict.fromkeys(ACTING, "it is not clear yet what is meant"))
        else:
            why_not[_ASK] = "it is clear what is meant"
            why_not["plan"] = self._why_not_plan()
            if why_not["plan"] or "plan" in failed:
                lacks = self._lacks()
                hope = self._survey_the_rest(lacks, why_not)
            else:
                needless = "what is asked can be planned for"
                why_not.update(dict.fromkeys(("partial", "explore", "alternative"), needless))
        why_not.update(dict.fromkeys(failed, "it came to nothing just now"))
        tools: tuple[ToolName, ...] = ("ask", "plan", "explore", "alternative", "partial", "stop")
        return ToolSituation(
            mission.instruction,
            show(mission.goal),
            tuple(tool for tool in tools if not why_not.get(tool)),
            tuple(lack.words for lack in lacks),
            hope,
            {tool: why for tool, why in why_not.items() if why},
            tuple(called),
            mission.remembered(),
        )

    def _why_not_plan(self) -> str:
        mission, context = self._mission, self._context
        assert mission.goal is not None
        if mission.more_of:
            return "what is meant has not been found yet"
        unfound = mission.unfound(context.belief.snapshot(), context.catalogue.domain)
        if unfound:
            return f"it is not known where to find {', '.join(unfound)}"
        unseen = mission.unseen_lacks(context.belief.snapshot())
        if unseen and self._places.best(unseen) is not None:
            return f"there is no {unseen[0].words} yet"
        if mission.left_out:
            return "a part of what was asked cannot be done"
        return "it cannot be reached with what is known" if self.feasibility.is_hopeless(mission.goal) else ""

    def _lacks(self) -> list[Lack]:
        """Classes that are missing; a tool, where nothing that the goal speaks of is."""
        mission, context = self._mission, self._context
        beliefs, domain = context.belief.snapshot(), context.catalogue.domain
        lacks = mission.lacks(beliefs, domain)
        if not lacks and not mission.tools and not mission.left_out:
            assert mission.goal is not None
            mission.tools = self.feasibility.would_help(mission.goal)
            lacks = mission.lacks(beliefs, domain)
        return lacks

    def _survey_the_rest(self, lacks: Sequence[Lack], why_not: dict[ToolName, str]) -> float:
        """Note why exploring, an alternative and a part cannot help; return the hope of exploring."""
        place = self._places.best(lacks) if lacks else None
        if place is None:
            why_not["explore"] = "no place is left to look at" if lacks else "nothing is missing"
        if self._mission.more_of:
            why_not["alternative"] = why_not["partial"] = "what is meant has not been found yet"
            return place.hope if place is not None else 0.0
        if not lacks or (self.substitution.best() is None and self.substitution.unadvised() is None):
            why_not["alternative"] = "nothing else would do" if lacks else "nothing is missing"
            proposal = self.substitution.proposal() if lacks else None
            self._mission.proposed = proposal.words if proposal is not None else ""
        if self.parts.best() is None:
            why_not["partial"] = "no part of it is left to be done"
        return place.hope if place is not None else 0.0
