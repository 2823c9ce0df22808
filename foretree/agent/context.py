"""The context that all nodes of a tree share: the robot, the belief, the clock, the record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from foretree.agent.absences import Absences
from foretree.agent.constraints.memory import ConstraintMemory
from foretree.agent.dialogue.journal import Journal
from foretree.agent.json_codec import entity_json, fact_json
from foretree.agent.settings import Settings
from foretree.agent.team import Team, TeamMember
from foretree.clock import Clock
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.plan import Action
from foretree.planning.task.problem_forms import ProblemForms
from foretree.planning.task.problems import assumption_about
from foretree.revision.plan_task import PlanTask
from foretree.revision.revision import Reviser
from foretree.runs.events import Recorder, Silent
from foretree.skills.catalogue import Catalogue
from foretree.skills.executive.executive import Lease
from foretree.skills.executors.base import target_of
from foretree.skills.robot import End, LookRequest, Robot, RobotError
from foretree.skills.skill import Skill
from foretree.world_model.affordances.embedding import Embed
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.facts import BY_CLASS, BY_EYE, WHEREABOUTS, Atom, Fact, Truth, holding
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Observation
from foretree.world_model.tracking.tracker import Tracker

if TYPE_CHECKING:
    from foretree.agent.constraints.obstructions import Obstructions
    from foretree.agent.discovery.topological_map import TopologicalMap
    from foretree.agent.learning.success_model import SuccessModel
    from foretree.agent.retrieval_guide import RetrievalGuide
    from foretree.reasoning.dialogs.place_hints import PlaceHint
    from foretree.reasoning.model_alternatives import AlternativeAdviser

#: What a look takes of the robot.
CAMERA = frozenset({"camera"})


class PendingExecution(Protocol):
    """Something under way that has to be asked for its end at every sync.

    Attributes:
        running: the action that is being carried out; None if its end is wanted, or there already.
    """

    @property
    def running(self) -> Action | None: ...

    def settle(self) -> None:
        """Ask, and draw the conclusions."""
        ...


class Learns(Protocol):
    """A learner from what is done, for later runs."""

    def begins(self, action: Action) -> None:
        """An action is about to begin."""

    def ended(self, action: Action, skill: Skill, end: End) -> None:
        """An action has come to its end. Its effects are not believed yet."""

    def keep(self) -> None:
        """The run is over: keep what it has taught."""


class AgentContext:
    """The context of one session, or of one plan in a tree of the user's own.

    Args:
        robot: who acts and looks.
        catalogue: what it can do.
        belief: what is believed; kept up to date by :meth:`sync`.
        places: the map.
        clock: all time comes from it.
        recorder: takes down what happens.
        settings: how to behave.
        revisers: who is asked about discrepancies, in order.
        discovered: the types of furniture that the robot is not told of, so that it has to discover them.
        teammates: further robots that the same plan is for.

    Attributes:
        recorder: takes down what happens.
        journal: the same; remembers what questions can be about.
        name: makes execution ids unique across sessions on the same robot.
        improver: looks for a cheaper rest of the plan while the robot is busy; None if that is not wanted.
        adviser: is asked what would do in place of a missing thing; None if nothing is to be asked.
        embed: knows which words are like which; None if there is no such model.
        guide: knows the building, and what of it an instruction needs; None where everything is at hand.
        topological_map: keeps the map in step with what was seen of the floor; None where it is given.
        hints: where a person has said that things are.
        learner: learns from the run for later ones; None if nothing is learned.
        success: knows how likely actions succeed, where plans are made by that or experience is kept, and
            once a person has said what things afford; None otherwise.
        team: all robots, with the parts of each.
        executive: leases the parts of the first robot.
    """

    def __init__(
        self,
        robot: Robot,
        catalogue: Catalogue,
        belief: Belief,
        places: PlaceGraph,
        clock: Clock,
        recorder: Recorder | None = None,
        settings: Settings | None = None,
        revisers: Sequence[Reviser] = (),
        discovered: Collection[str] = (),
        teammates: Sequence[Robot] = (),
    ) -> None:
        self.robot = robot
        self.catalogue = catalogue
        self.belief = belief
        self.places = places
        self.clock = clock
        self.recorder = self.journal = Journal(recorder or Silent())
        self.settings = settings or Settings()
        self.revisers = tuple(revisers)
        self.name = "x"
        self.improver: Reviser | None = None
        self.adviser: AlternativeAdviser | None = None
        self.embed: Embed | None = None
        self.guide: RetrievalGuide | None = None
        self.team = Team((robot, *teammates), clock, self.recorder, self.settings)
        self.executive = self.team.first.executive
        self.tracker = Tracker(belief, catalogue.ontology, places, discovered)
        self.topological_map: TopologicalMap | None = None
        self.hints: tuple[PlaceHint, ...] = ()
        self.learner: Learns | None = None
        self.success: SuccessModel | None = None
        self.task = self.new_task()
        self.task.refresh(belief.snapshot())
        self._memory = ConstraintMemory(belief, self.task)
        self._kept: tuple[Constraint, ...] = ()
        self._absences = Absences(self.team, self.recorder, lambda: self.keep_to(self._kept))
        self._obstructions: Obstructions | None = None
        #: Whether plan nodes call :meth:`sync` themselves; a session that does so sets it to False.
        self.self_syncing = True
        #: Asked before every action whether it may begin, until it says so or not; None: nothing is asked.
        self.permission: Callable[[Action], bool | None] | None = None
        #: Asked before every action whether it has to wait because a person debugs the session.
        self.halts: Callable[[Action], bool] | None = None
        #: Whether nothing new may begin until a person says so. What is under way goes on to its end.
        self.on_hold = False
        #: The reason why the session has to end, if it has.
        self.stop_reason = ""
        #: What the last look that could not begin has to wait for.
        self.waits_to_look = ""
        self._under_way: list[PendingExecution] = []
        #: What failures have taught and no look can confirm: that there is no room somewhere.
        self.tried: set[Atom] = set()
        #: States that looks do not tell of things of a class, although they tell others.
        self._untold: set[tuple[str, str]] = set()
        self._count = 0
        #: How many actions, and how many discrepancies, were given an id; a session that takes up a run goes
        #: on counting from there.
        self.actions_named = 0
        self.discrepancies_named = 0
        self._recorded_version = belief.version

    def new_task(self) -> PlanTask:
        """Return a planning task without constraints."""
        catalogue = self.catalogue
        single = catalogue.vocabulary.single_of_first(catalogue.domain.predicates)
        return PlanTask(catalogue.domain, self.places.travel_costs(), self._overview(), single)

    def _overview(self) -> ProblemForms | None:
        if not self.settings.compress:
            return None
        domain, vocabulary = self.catalogue.domain, self.belief.vocabulary
        rests = [
            predicate
            for predicate, parameters in domain.predicates.items()
            if len(parameters) == 2 and vocabulary[predicate].group == "rests"
        ]
        return ProblemForms(domain, self.places, rests, selecting=self.settings.select)

    # -- once per tick -----------------------------------------------------------------------------------
    def sync(self) -> None:
        """Take in what has happened since the last tick: first what ended, then what was seen.

        In this order, because what an action is said to have done is believed less than what is seen after
        it.

        Raises:
            RobotError: the robot has sent nothing for longer than the setting ``contact_patience`` says.
        """
        self.settle()
        observations: list[Observation] = []
        for member in self.team.members:
            member.executive.poll_unattended()
            # Most ticks bring nothing: what is called here, each of them pays for.
            try:
                observations.extend(member.executive.robot.observations())
            except RobotError as error:
                self._absences.note_silence(member, error)
            else:
                if member.silence:
                    member.note_contact()
        if len(self.team.members) > 1:
            self._absences.update()
        if observations or self.topological_map is not None:
            self._take_in(observations)
        if self.belief.version != self._recorded_version:
            if self._obstructions is not None:
                self._obstructions.update()
            self._memory.update(self.clock.now())
            self._record_changes()

    @property
    def obstructions(self) -> Obstructions:
        """Obstructions that the robot's motions have met. Few sessions have any."""
        from foretree.agent.constraints.obstructions import Obstructions

        if self._obstructions is None:
            self._obstructions = Obstructions(self.belief, self.recorder, lambda: self.keep_to(self._kept))
        return self._obstructions

    def expect(self, hints: Iterable[PlaceHint]) -> None:
        """Look first where a person has said that things are."""
        self.hints = tuple(dict.fromkeys((*self.hints, *hints)))
        if self.topological_map is not None:
            self.topological_map.expect(self.hints)

    def keep_to(self, constraints: Sequence[Constraint]) -> None:
        """Have every plan and every revision keep *constraints*, and no others, and do without absent robots.

        Raises:
            ConstraintError: one of them cannot be kept to in the robot's domain.
        """
        self._kept = tuple(constraints)
        learned = self._obstructions.constraints if self._obstructions is not None else ()
        self._memory.carry_over((*constraints, *self._absences.constraints, *learned))
        self._memory.update(self.clock.now())

    def _take_in(self, observations: Sequence[Observation]) -> None:
        changed: dict[str, None] = {}
        for observation in observations:
            changed.update(dict.fromkeys(self.tracker.observe(observation).entities))
            if observation.image is not None and self.settings.record_images:
                from foretree.agent.camera_record import record_image  # few robots here have a camera

                record_image(self.recorder, observation, self.tracker.seen)
        if self.topological_map is not None:
            changed.update(dict.fromkeys(self.topological_map.follow()))
        if observations or changed:
            self.task.refresh(self.belief.snapshot())
        if changed:
            self._record_entities(changed)

    def think_again(self) -> bool:
        """Forget what may be wrong of what is believed and learned; whether there was anything like that."""
        from foretree.agent.learning.doubts import doubtful  # most sessions have no need to

        self.belief.retract(found := doubtful(self.belief, self.tried))
        self.tried.clear()
        return bool(self._obstructions and self._obstructions.forget()) or bool(found)

    def settle(self) -> None:
        """Take in what has ended."""
        for act in tuple(self._under_way):
            act.settle()

    def running(self) -> tuple[Action, ...]:
        """The actions that the robot is carrying out, oldest first."""
        return tuple(act.running for act in self._under_way if act.running is not None)

    def attend(self, act: PendingExecution) -> None:
        """Have *act* settled at every sync, until :meth:`release`."""
        self._under_way.append(act)

    def release(self, act: PendingExecution) -> None:
        """*act* has come to its end."""
        if act in self._under_way:
            self._under_way.remove(act)

    def _record_entities(self, names: Iterable[str]) -> None:
        known = self.belief.entities()
        changed = [entity_json(known[name]) for name in names if name in known]
        if changed:
            self.recorder.record("entity.changed", entities=changed)

    def _record_changes(self) -> None:
        changes = self.belief.changes_since(self._recorded_version)
        self._recorded_version = self.belief.version
        beliefs = self.belief.snapshot()
        if changes is None:
            changes = sorted(fact.atom for fact in beliefs.facts())
        atoms = [atom for atom in dict.fromkeys(changes) if not atom[0].startswith("group:")]
        if atoms:
            facts = [fact_json(beliefs.evidence(atom)) for atom in atoms]
            self.recorder.record("belief.changed", version=beliefs.version, facts=facts)

    def record_belief(self) -> None:
        """Record all that is believed, as a run does that begins, so that it can be taken up again."""
        beliefs = self.belief.snapshot()
        entities = [entity_json(entity) for _, entity in sorted(beliefs.entities().items())]
        self.recorder.record("entity.changed", entities=entities)
        facts = [fact_json(fact) for fact in sorted(beliefs.facts(), key=lambda fact: fact.atom)]
        self.recorder.record("belief.changed", version=beliefs.version, facts=facts)

    # -- names -------------------------------------------------------------------------------------------
    def execution_id(self) -> str:
        """A fresh id for an execution."""
        self._count += 1
        return f"{self.name}-{self._count}"

    def action_id(self) -> str:
        """A fresh id for an action; unique in the whole run, so that a person can ask about it."""
        self.actions_named += 1
        return f"a{self.actions_named}"

    def discrepancy_id(self) -> str:
        """A fresh id for a discrepancy."""
        self.discrepancies_named += 1
        return f"d{self.discrepancies_named}"

    # -- looking -----------------------------------------------------------------------------------------
    def node(self, robot: str = "") -> str | None:
        """Return the node at which a robot believes it stands: the first, if none is named."""
        at = self.belief.snapshot().placement("body", robot or self.robot.name)
        return at[-1] if at is not None else None

    def in_sight(self, atom: Atom) -> bool:
        """Return whether a look could tell about *atom*: it is about the room of a robot, or a hand.

        A robot that finds its way about by itself knows no rooms, but what stands before what.
        """
        if not self.belief.vocabulary[atom[0]].observable or self._is_untold(atom):
            return False
        if self.topological_map is not None:
            return self.topological_map.in_sight(atom)
        return any(self._sees(member.robot, atom) for member in self.team.members)

    def _sees(self, robot: Robot, atom: Atom) -> bool:
        """Return whether a robot stands where it can see what *atom* is about."""
        here = self.node(robot.name)
        if here is None or here not in self.places:
            return False
        room = self.places.room_of(here)
        beliefs = self.belief.snapshot()
        return any(room in self._rooms_of(name, beliefs, room, robot) for name in atom[1:])

    def seen_of(self, atom: Atom, beliefs: Snapshot) -> list[Fact]:
        """Return what can be seen of *atom*, as it is believed: its own fact, or those it follows from."""
        vocabulary = beliefs.vocabulary
        if vocabulary[atom[0]].observable:
            return [beliefs.evidence(atom)]
        facts = []
        for rule in self.catalogue.ontology.follows:
            if rule.then[0] == atom[0] and len(rule.when) == 1:
                binding = dict(zip(rule.then[1:], atom[1:], strict=True))
                reason = tuple(binding.get(term, term) for term in rule.when[0])
                fact = beliefs.fact(reason)
                if fact is not None and vocabulary[reason[0]].observable:
                    facts.append(fact)
        return facts

    def note_look(self, atoms: Iterable[Atom], since: float) -> None:
        """A look at what *atoms* speak of, begun at *since*, is over.

        What it has told nothing of, although it has told how else the thing is, no other will tell: eyes that
        know bread know that it does not break.
        """
        beliefs = self.belief.snapshot()
        for atom in atoms:
            entity = self.belief.entity(atom[1]) if len(atom) == 2 else None
            if entity is not None and self.belief.fact(atom) is None:
                told = (fact for fact in beliefs.facts() if fact.atom[1:] == atom[1:] and fact.time >= since)
                if any(fact.source in BY_EYE for fact in told):
                    self._untold.add((entity.best_class, atom[0]))
            self._take_for_granted(atom)

    def _take_for_granted(self, atom: Atom) -> None:
        """Believe what is assumed of a state that no look will tell: an egg without slices is whole."""
        assumption = assumption_about(self.belief.snapshot(), atom) if self._is_untold(atom) else None
        if assumption is not None:
            now = self.clock.now()
            self.belief.tell(atom, assumption.value, confidence=1.0, time=now, source=BY_CLASS)

    def _is_untold(self, atom: Atom) -> bool:
        entity = self.belief.entity(atom[1]) if len(atom) == 2 else None
        return entity is not None and (entity.best_class, atom[0]) in self._untold

    def _rooms_of(self, name: str, beliefs: Snapshot, here: str, robot: Robot) -> set[str]:
        """The rooms from which *name* could be seen; *here* is where the robot is."""
        if name in self.places:
            return {self.places.room_of(name)}
        hands = ((robot.name, hand) for hand in robot.hands)
        if any(beliefs.truth(holding(hand, name)) is Truth.TRUE for hand in hands):
            return {here}
        rests = beliefs.placement("rests", name)
        if rests is not None and rests[-1] in self.places:
            return {self.places.room_of(rests[-1])}
        edges = self.places.door_edges(name)
        return {self.places.room_of(node) for edge in edges for node in (edge.one, edge.other)}

    def look(self, atoms: Iterable[Atom], why: str, *, widely: bool = False, robot: str = "") -> Lease | None:
        """Begin to look at what *atoms* speak of; None while the camera is busy: :attr:`waits_to_look` says
        with what. A camera that was lost for good is not waited for: the look has failed then.

        Args:
            atoms: what is in doubt.
            why: what for, in words of a person.
            widely: whether to look at all of what a thing is said to be in or on, too: it may have been moved
                there, or there may be more to see of it.
            robot: the robot that looks, unless it cannot see any of it and another can.
        """
        atoms = list(atoms)
        member = self._observer(atoms, robot)
        hold = member.executive.hold(CAMERA)
        self.waits_to_look = "" if hold is None else f"waits to look: {hold}"
        if hold is not None:
            if not hold.for_good:
                return None
            self.recorder.record("log", text=f"no look: {hold}")
            return member.executive.refused(self.execution_id(), f"{hold}", what="look")
        beliefs = self.belief.snapshot()
        names = dict.fromkeys(name for atom in atoms for name in self._shown_by(atom, beliefs, widely))
        targets = {
            name: target for name in names if (target := target_of(name, beliefs, member.robot)) is not None
        }
        execution = self.execution_id()
        self.recorder.record("look.started", execution=execution, at=list(targets), why=why)
        request = LookRequest(tuple(targets.values()), why)
        return member.executive.start(
            execution, lambda: member.robot.look(request, execution), CAMERA, 10.0, what="look"
        )

    def _observer(self, atoms: Sequence[Atom], robot: str) -> TeamMember:
        """The robot that looks at what *atoms* speak of."""
        asked = self.team.acting((robot,))
        if len(self.team.members) == 1 or not atoms:
            return asked
        seeing = (m for m in (asked, *self.team) if any(self._sees(m.robot, atom) for atom in atoms))
        return next(seeing, asked)

    def _shown_by(self, atom: Atom, beliefs: Snapshot, widely: bool) -> Sequence[str]:
        """Return what has to be looked at to see whether *atom* is so."""
        where = self.belief.vocabulary[atom[0]].group == WHEREABOUTS
        thing = beliefs.entity(atom[1]) if where and not widely else None
        return atom[1:2] if thing is not None and thing.pose is not None else atom[1:]
