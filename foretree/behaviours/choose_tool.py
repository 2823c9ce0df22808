"""The choice of tools: the node that has one tool after the other do its part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.instruction_reader import InstructionReader, record_goal
from foretree.agent.mission import NO_PLAN, Mission
from foretree.agent.planning_service import PlanningService
from foretree.agent.tools.chooser import RuleChooser, ToolChooser, ToolName, ToolSituation
from foretree.agent.tools.survey import ToolSurvey
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Formula, show
from foretree.planning.solvers.base import Solution
from foretree.reasoning.instruction_errors import NoSuchThingError
from foretree.reasoning.models.model import Spending, TracksSpending, UnrecordedQuestionError
from foretree.reasoning.reasoner import Understanding


class ChooseTool(Composite):
    """Has a tool chosen that can help, and ticks its node to the end; then another one, if it failed.

    It succeeds when a tool has got something done, and fails when the tool ``stop`` fails. A choice that
    cannot help is not followed: the rules decide instead.

    Args:
        context: the shared ground.
        mission: what it is about.
        survey: knows which tools can help.
        tools: the node of each tool; ``stop`` is among them.
        reader: reads the instruction anew when what it may mean was found.
        service: finds out why there is no plan, where no tool can help.
        pursue: has the plan that is being carried out revised for another goal, for a reason; returns False
            where none is being carried out.
        chooser: chooses the tools.
    """

    def __init__(
        self,
        context: AgentContext,
        mission: Mission,
        survey: ToolSurvey,
        tools: Mapping[ToolName, Behaviour],
        reader: InstructionReader,
        service: PlanningService,
        pursue: Callable[[Formula, str], bool],
        chooser: ToolChooser | None = None,
    ) -> None:
        super().__init__(name="choose a tool", children=list(tools.values()))
        self._context = context
        self._mission = mission
        self._survey = survey
        self._tools = tools
        self._reader = reader
        self._service = service
        self._pursue = pursue
        self._changes = mission.changes
        self._rules = RuleChooser()
        self._chooser: ToolChooser = chooser or self._rules
        self._pending: tuple[ToolSituation, Deferred[ToolName]] | None = None
        self._reading: Deferred[Understanding] | None = None
        self._current: ToolName | None = None
        self._interrupted = False
        self._failed: set[ToolName] = set()
        self._called: list[ToolName] = []

    def tick(self) -> Iterator[Behaviour]:
        if self.status is not Status.RUNNING:
            self._current = self._pending = self._reading = None
            self._changes = self._mission.changes
        elif self._changes != self._mission.changes:
            self._changes = self._mission.changes
            self._follow_wish()
        status = Status.RUNNING
        while status is Status.RUNNING:
            if self._current is None:
                hold = self._context.executive.coming_free() if self._context.executive.held() else None
                if self._interrupted and hold is not None:
                    self.feedback_message = f"waits for the robot to stop: {hold}"
                    break
                self._interrupted = False
                self._current = self._choose()
                if self._current is None:
                    break
                self._called.append(self._current)
            node = self.current_child = self._tools[self._current]
            yield from node.tick()
            if node.status is Status.RUNNING:
                self.feedback_message = node.feedback_message
                break
            status = self._ended(self._current, node.status)
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def _follow_wish(self) -> None:
        """The person wants something else: have the plan revised, or another tool chosen."""
        mission = self._mission
        self._failed.clear()
        self._pending = self._reading = None
        if self._current is None:
            return
        assert mission.goal is not None
        why = f'the person said: "{mission.instruction}"'
        can_help = self._survey.situation(()).can_help
        if self._current == "plan" and "plan" in can_help and self._pursue(mission.goal, why):
            self._context.recorder.record("agent.chose", tool="plan", why=f"plans for {show(mission.goal)}")
            return
        from foretree.behaviours.calling_off import called_off  # in few runs anything is

        with called_off(why):
            self._tools[self._current].stop(Status.INVALID)
        self._current, self._interrupted = None, True

    def _ended(self, tool: ToolName, status: Status) -> Status:
        """Take note of how a tool has ended; return what that means for this node."""
        self._current = None
        if status is Status.SUCCESS:
            self._failed.clear()
            return status
        if tool == "stop":
            return Status.FAILURE
        self._failed.add(tool)
        return Status.RUNNING

    def _choose(self) -> ToolName | None:
        """Return the next tool; None while it is thought about."""
        if self._pending is None:
            if not self._read_anew():
                return None
            situation = self._survey.situation(self._failed, self._called)
            # A tool that the tree has no node for is not there.
            there = tuple(tool for tool in situation.can_help if tool in self._tools)
            if there == ("stop",):
                return self._checked("stop", situation)
            choice = self._chooser.choose(situation)
            if isinstance(choice, str):
                return self._checked(choice, situation)
            self._pending = situation, choice
        situation, pending = self._pending
        if not pending.ready():
            self.feedback_message = "chooses a tool"
            return None
        self._pending = None
        try:
            choice = pending.result()
        except UnrecordedQuestionError:
            raise  # a replay must not diverge
        except ForetreeError as error:
            self._context.recorder.record("log", text=f"No tool was chosen: {error} The rules decide.")
            choice = self._rules.choose(situation)
        return self._checked(choice, situation)

    def _say_why(self, situation: ToolSituation) -> None:
        """Have the mission say why it is stopped, where no tool has said so because none could help."""
        mission = self._mission
        if self._failed or mission.parts or mission.refusal is not None:
            return
        if situation.missing:
            mission.note_not_found(", ".join(situation.missing))
        else:
            mission.reason, mission.find_out = NO_PLAN, self._explain

    def _explain(self) -> Future[Solution]:
        assert self._mission.goal is not None
        return self._survey.feasibility.explain(self._mission.goal, self._service)

    def _checked(self, choice: ToolName, situation: ToolSituation) -> ToolName:
        if choice in situation.can_help and choice in self._tools:
            if choice == "stop":
                self._say_why(situation)
            return choice
        why = situation.why_not.get(choice, "there is no such tool")
        text = f"The tool {choice} was chosen, but cannot help: {why}. The rules decide."
        self._context.recorder.record("log", text=text)
        return self._rules.choose(situation)

    def _read_anew(self) -> bool:
        """Read the instruction anew if it was about something that was not known, and more is known now.

        Returns:
            Whether that is done.
        """
        context, mission = self._context, self._mission
        if not mission.more_of or mission.lacks(context.belief.snapshot(), context.catalogue.domain):
            return True
        reading = self._reading = self._reading or self._reader.begin()
        if not reading.ready():
            self.feedback_message = "reads the instruction anew"
            return False
        self._reading = None
        try:
            self._reader.accept(reading.result())
            if not mission.readings:
                record_goal(self._context, mission)
        except UnrecordedQuestionError:
            raise  # a replay must not diverge
        except ForetreeError as error:
            if isinstance(error, NoSuchThingError) and error.wanted:
                self._reader.search_for(error)
            else:
                mission.refusal, mission.reason, mission.more_of = error, str(error), {}
        return True

    @property
    def spent(self) -> Spending:
        """Money spent on a model that chooses."""
        return self._chooser.spent if isinstance(self._chooser, TracksSpending) else Spending()

    def terminate(self, new_status: Status) -> None:
        if self._pending is not None:
            self._pending[1].cancel()
        if self._reading is not None:
            self._reading.cancel()
        self._current = self._pending = self._reading = None
