"""The learner: what a run has found out for certain is known to the runs after it.

* *Where things are.* A thing that the robot has picked up was where it was seen to be, and in the hand it
  shows what it is. What the robot has moved itself is no news: it would learn its own habits.
* *How things look.* What the robot has washed, filled or opened is clean, full or open, whatever it looks
  like. A picture is taken at once. It counts once looks have shown that the action has done what it should:
  now and then a robot takes for done what is not.

What is not yet certain when an action ends is decided before the next one begins. By then the robot has
looked as closely as its plan wants.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import dist
from typing import NamedTuple

from foretree.agent.context import AgentContext
from foretree.errors import ForetreeError
from foretree.perception.descriptors import Crops
from foretree.perception.gallery import Gallery
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import fired
from foretree.skills.embodied.senses import Senses
from foretree.skills.executors.base import arguments_of
from foretree.skills.robot import End, Outcome
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import BY_EYE, WHEREABOUTS, Atom, Entity, Truth, holding
from foretree.world_model.likely_places import LikelyPlaces

#: What is at least as certain as this is learned; of where a thing rests, one good look is enough, for the
#: hand has found it there.
_SURE, _SURE_WHERE = 0.95, 0.9
#: A picture of a thing shows at least this share of it, and the thing is no farther from where it should be
#: than this (metres).
_VISIBLE_SHARE, _NEAR = 0.8, 0.3
#: On how many things one on top of the other a thing may be, and still be at the furniture below them.
_MAX_STACK = 4


class _Taken(NamedTuple):
    """A picture of a thing, the states that an action has just put it in, and when."""

    crop: Crops
    thing: str
    states: Mapping[str, bool]
    time: float


class Learner:
    """Learns from the actions of a run.

    Args:
        context: what the run's nodes share.
        senses: what the robot has sensed.
        likely: learns where things are; None if that is not learned.
        gallery: learns how things look; None if that is not learned.
    """

    def __init__(
        self, context: AgentContext, senses: Senses, likely: LikelyPlaces | None, gallery: Gallery | None
    ) -> None:
        self._context = context
        self._senses = senses
        self._likely = likely
        self._gallery = gallery
        self._found: dict[str, str] = {}
        self._moved: set[str] = set()
        #: What has come into the hand, each with the furniture that it was at.
        self._picked: list[tuple[str, str]] = []
        self._taken: list[_Taken] = []
        self._places: list[tuple[str, str]] = []
        self._pictures: list[tuple[str, Mapping[str, bool]]] = []

    def begins(self, action: Action) -> None:
        """An action is about to begin: decide on what the last one has taught, and note where things are."""
        self._decide()
        beliefs = self._context.belief.snapshot()
        at = {name: self._furniture_of(name, beliefs) for name in action.arguments}
        self._found = {name: furniture for name, furniture in at.items() if furniture is not None}

    def ended(self, action: Action, skill: Skill, end: End) -> None:
        """An action has come to its end. Its effects are not believed yet."""
        if end.outcome is Outcome.FAILED:
            return
        context = self._context
        effects = fired(context.task.ground(action), context.belief.truth, context.task.objects)
        placed = self._placed_by(effects)
        if end.outcome is Outcome.DONE:
            self._picked += [
                (thing, self._found[thing])
                for thing, atom in placed.items()
                if thing in self._found and atom in self._grips(thing)
            ]
            if not end.reason:  # otherwise it was so already, or so it is said
                self._take_pictures(action, skill, effects)
        self._moved.update(placed)

    def keep(self) -> None:
        """The run is over: write what it has taught. That it cannot be written is noted, and no more."""
        self._decide()
        kept = self._saved("places", self._likely, self._places)
        kept |= self._saved("pictures", self._gallery, self._pictures)
        if kept:
            self._context.recorder.record("run.learned", **kept)

    def _saved(
        self, what: str, store: LikelyPlaces | Gallery | None, news: Collection[tuple[object, object]]
    ) -> dict[str, object]:
        if store is None or not news:
            return {}
        try:
            store.save()
        except ForetreeError as error:
            self._context.recorder.record("log", text=f"What was learned is not kept. {error}")
            return {}
        return {what: [list(one) for one in news]}

    # -- where things are --------------------------------------------------------------------------
    def _furniture_of(self, thing: str, beliefs: Snapshot) -> str | None:
        """The furniture at which a thing was certainly seen; None if there is none, or if the robot has put
        it there."""
        name = thing
        for _ in range(_MAX_STACK):
            at = beliefs.placement(WHEREABOUTS, name)
            fact = None if at is None else beliefs.fact(at)
            if at is None or fact is None or len(at) != 3 or at[1] != name or name in self._moved:
                return None
            if fact.source not in BY_EYE or fact.confidence < _SURE_WHERE:
                return None
            name = at[2]
            below = beliefs.entity(name)
            if below is not None and below.fixed:
                return name
        return None

    def _placed_by(self, effects: Iterable[Literal]) -> dict[str, Atom]:
        """Return where an action puts things, the hand included."""
        placed = {}
        for literal in effects:
            group = self._context.belief.vocabulary.group_key(literal.atom)
            if literal.positive and group is not None and group[0] == WHEREABOUTS:
                placed[group[1]] = literal.atom
        return placed

    def _grips(self, thing: str) -> list[Atom]:
        """Return the atoms of which one is true if a thing is in a hand."""
        robot = self._context.robot
        return [holding((robot.name, hand), thing) for hand in robot.hands]

    def _holds(self, thing: str) -> bool:
        belief = self._context.belief
        return any(belief.truth(grip) is Truth.TRUE for grip in self._grips(thing))

    def _class_of(self, name: str) -> str:
        """Return the class of a thing; empty if it is not certain."""
        entity = self._context.belief.entity(name)
        if entity is None or entity.classes.get(entity.best_class, 0.0) < _SURE:
            return ""
        return entity.best_class

    # -- how things look ---------------------------------------------------------------------------
    def _shows(self, state: str) -> bool:
        """Return whether a state can be seen, as far as the gallery knows."""
        info = self._context.belief.vocabulary[state]
        known = self._gallery is not None and state in self._gallery.states
        return known and info.kind == "attribute" and info.observable

    def _take_pictures(self, action: Action, skill: Skill, effects: Collection[Literal]) -> None:
        """Take a picture of what the robot was told to do something with, if its state is another now."""
        things = (
            thing
            for parameter, thing in arguments_of(action, skill)
            if not skill.roles or parameter.name[1:] in skill.roles
        )
        for thing in things:
            changed = [one for one in effects if one.atom[1:] == (thing,) and self._shows(one.atom[0])]
            crop = self._crop_of(thing) if changed else None
            if crop is not None:
                states = {one.atom[0]: one.positive for one in sorted(changed, key=lambda one: one.atom)}
                self._taken.append(_Taken(crop.copy(), thing, states, self._context.clock.now()))

    def _crop_of(self, thing: str) -> Crops | None:
        """Return the picture of a thing in the last frame; None if it is not plain which one it is."""
        frame = self._senses.frame
        if self._holds(thing):
            return None if frame.held is None else frame.held.crop
        entity = self._context.belief.entity(thing)
        if entity is None or entity.pose is None:
            return None
        masks = [
            seen.mask
            for seen in self._senses.seen()
            if dist(seen.detection.pose, entity.pose) < _NEAR
            and Entity("", seen.detection.classes).best_class == entity.best_class
        ]
        return masks[0].crop if len(masks) == 1 and masks[0].visible >= _VISIBLE_SHARE else None

    # -- making sure -------------------------------------------------------------------------------
    def _decide(self) -> None:
        """Learn what has turned out to be so, and forget the rest."""
        for name, at in self._picked:
            thing, furniture = self._class_of(name), self._class_of(at)
            if self._likely is not None and thing and furniture and self._holds(name):
                self._likely.confirm(thing, furniture)
                self._places.append((thing, furniture))
        for taken in self._taken:
            thing = self._class_of(taken.thing)
            states = {state: so for state, so in taken.states.items() if self._seen_since(taken, state, so)}
            if self._gallery is not None and thing and self._gallery.confirm(taken.crop, thing, states):
                self._pictures.append((thing, states))
        self._picked, self._taken = [], []

    def _seen_since(self, taken: _Taken, state: str, so: bool) -> bool:
        """Return whether looks have shown that a thing is as an action should have made it."""
        fact = self._context.belief.fact((state, taken.thing))
        return (
            fact is not None
            and fact.source in BY_EYE
            and fact.time >= taken.time
            and fact.truth is (Truth.TRUE if so else Truth.FALSE)
            and fact.confidence >= _SURE
        )
