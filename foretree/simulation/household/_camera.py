"""View of the robot, and its detections as a camera reports them.

Two separate steps: :func:`true_view` is the truth of what is in view, and :class:`NoisyDetector` turns it
into detections, with the scene's noise. Whether an agent *could have known* something is asked of the first.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from foretree.simulation.household.household_state import House, HouseholdObject, Key, RestingPlace
from foretree.simulation.household.states_and_relations import relations_of
from foretree.world_model.beliefs.facts import Hand, Pose, hand_free, robot_at
from foretree.world_model.observation import Covered, Detection, Observation

#: States that show from anywhere in the room; all others only from close by.
FAR_STATES = frozenset({"open", "turned_on"})

#: Nothing is ever reported with more certainty than this, or less than its complement.
CERTAIN = 0.99
#: With how much certainty an empty region counts as empty when nothing is ever missed.
COVERED = 0.98


@dataclass(frozen=True, slots=True)
class TrueView:
    """Everything in view, in truth.

    Attributes:
        node: where the robot stands; None on the way.
        poses: where each thing in view is, by its id.
        covered: the regions that are seen completely, as (relation, support id).
        facts: every key that can be read off the view, with its value.
    """

    node: str | None
    poses: Mapping[str, Pose]
    covered: tuple[tuple[str, str], ...]
    facts: Mapping[Key, object]


def true_view(house: House) -> TrueView:
    """Return what is in view now.

    The robot sees the furniture, doors and people of the room it is in, and everything that lies openly on,
    under or hung on what it sees, or in it if it has no lid. It sees into an open container only when it
    stands at it, or holds it. It always sees what it holds, and what lies openly on or in that; on the way
    from one place to another it sees nothing else. From the room at either end of a passage it sees what
    stands in it.
    """
    poses: dict[str, Pose] = {}
    covered: list[tuple[str, str]] = []
    facts: dict[Key, object] = {}
    resting: dict[RestingPlace, list[HouseholdObject]] = {}
    for thing in house.items():
        assert thing.rests is not None
        resting.setdefault(thing.rests, []).append(thing)

    def note(thing: HouseholdObject, close: bool) -> None:
        pose = house.pose_of(thing)
        assert pose is not None
        poses[thing.id] = pose
        facts["is", thing.id] = True
        for state in thing.possible:
            if close or state in FAR_STATES:
                facts[state, thing.id] = state in thing.states
        if thing.kind == "item":
            facts["rests", thing.id] = thing.rests
        for relation in ("given",) if thing.kind == "person" else relations_of(thing.known):
            inside_hidden = relation == "in" and thing.affords("openable")
            if inside_hidden and not (close and thing.is_open):
                continue
            there = resting.get(RestingPlace(relation, thing.id), ())
            if thing.kind != "person":
                covered.append((relation, thing.id))
                facts["found", relation, thing.id] = frozenset(item.id for item in there)
            for item in there:
                note(item, close)

    room = house.room
    if room is not None:
        for thing in house.things.values():
            if thing.kind != "item" and room in thing.rooms:
                note(thing, house.node_of(thing) == house.node)
        for passage, blocked in house.obstructed.items():
            if room in (house.nodes[passage.one].room, house.nodes[passage.other].room):
                facts["passable", passage.one, passage.other] = not blocked
    for hand in house.hands:
        for thing in resting.get(RestingPlace("held", hand), ()):
            note(thing, True)
    return TrueView(house.node, poses, tuple(covered), facts)


class NoisyDetector:
    """Reports views as detections, with the noise of the scene.

    Probabilities are calibrated: a state that is misread one time in ten is reported with 0.9.
    """

    def __init__(self, house: House, rng: random.Random) -> None:
        self._house = house
        self._noise = house.scene.noise
        self._ontology = house.scene.ontology
        self._rng = rng
        self._count = 0
        self._alike: dict[str, tuple[str, ...]] = {}

    def observe(self, view: TrueView, time: float, source: str) -> Observation:
        """A view as the camera reports it, with a fresh draw of its noise."""
        house = self._house
        # Sorted by position: the order in which a scene lists things is not to be seen.
        poses = view.poses
        detections: list[Detection] = []
        ids: dict[str, str] = {}
        robot = house.robot.name
        held: dict[str, tuple[Hand, ...]] = {}
        for thing_id in sorted(poses, key=lambda i: (house[i].kind == "item", poses[i])):
            thing = house[thing_id]
            in_hand = thing.rests is not None and thing.rests.relation == "held"
            if thing.kind == "item" and not in_hand and self._happens(self._noise.missed):
                continue
            self._count += 1
            detection_id = f"d{self._count}"
            ids[thing_id] = detection_id
            if in_hand:
                held[detection_id] = tuple((robot, hand) for hand in house.hands_with(thing))
            states = {
                state: self._reading(bool(view.facts[state, thing_id]))
                for state in thing.possible
                if (state, thing_id) in view.facts
            }
            detections.append(Detection(detection_id, self._classes(thing), poses[thing_id], states))
        for index, thing_id in enumerate(ids):
            rests = house[thing_id].rests
            # What it rests on may have been missed.
            if rests is not None and rests.support in ids:
                detections[index] = replace(detections[index], rests=(rests.relation, ids[rests.support]))
        certainty = min(COVERED, 1.0 - self._noise.missed)
        return Observation(
            time=time,
            source=source,
            detections=tuple(detections),
            covered=tuple(
                Covered(relation, ids[support], certainty)
                for relation, support in view.covered
                if support in ids
            ),
            body=self._body(view),
            held=held,
            passable={(key[1], key[2]): bool(v) for key, v in view.facts.items() if key[0] == "passable"},
        )

    def _body(self, view: TrueView) -> dict[tuple[str, ...], bool]:
        house, robot = self._house, self._house.robot.name
        body: dict[tuple[str, ...], bool] = {
            hand_free((robot, h)): held is None for h, held in house.hands.items()
        }
        if view.node is not None:
            body[robot_at(robot, view.node)] = True
        else:
            body[robot_at(robot, house.last_node)] = False
        return body

    def _happens(self, rate: float) -> bool:
        return rate > 0.0 and self._rng.random() < rate

    def _reading(self, value: bool) -> float:
        sure = min(CERTAIN, 1.0 - self._noise.misread)
        return round(sure if value is not self._happens(self._noise.misread) else 1.0 - sure, 6)

    def _classes(self, thing: HouseholdObject) -> dict[str, float]:
        alike = self._look_alikes(thing.class_name)
        reported = thing.class_name
        if alike and self._happens(self._noise.confusion):
            reported = self._rng.choice(alike)
        others = self._look_alikes(reported)
        if not others or self._noise.confusion == 0.0:
            return {reported: CERTAIN}
        sure = min(CERTAIN, 1.0 - self._noise.confusion)
        rest = round((1.0 - sure) / len(others), 6)
        return {reported: round(sure, 6), **dict.fromkeys(others, rest)}

    def _look_alikes(self, class_name: str) -> tuple[str, ...]:
        """The classes of the same type that either is easily taken for the other."""
        found = self._alike.get(class_name)
        if found is None:
            parent = self._ontology[class_name].parent
            found = tuple(
                other.name
                for other in self._ontology.classes.values()
                if other.parent == parent
                and other.name != class_name
                and self._ontology.look_alike(class_name, other.name)
            )
            self._alike[class_name] = found
        return found
