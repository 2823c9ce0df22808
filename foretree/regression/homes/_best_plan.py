"""The best plan known for a task in a home, made with full knowledge of it.

Runs are measured by it: to search, look twice or mend a mistake takes longer than that. It is the
planner's plan of low cost on the true state and the true ways: as many controls as the ways take, from before
the middle of the front of one piece of furniture to before that of the next, and one control for each
manipulation. It is not proved to be the shortest there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from foretree.agent.planning_service import PlanningService
from foretree.agent.settings import Settings
from foretree.planning.pddl.syntax import Formula
from foretree.planning.semantics.actions import TypedObjects, instantiate
from foretree.planning.task.problem_forms import ProblemForms
from foretree.planning.task.problems import ProblemError, make_problem
from foretree.revision.plan_task import PlanTask
from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.geometry import Cell
from foretree.simulation.grid_homes.layouts.layout import Layout, Piece, steps_from
from foretree.skills.catalogue import Catalogue
from foretree.skills.embodied.body import TURN
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.consequences import ConsequenceUpdater
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import OBJECT_AT, Entity, hand_free, has_hand, robot_at
from foretree.world_model.maps.places import PlaceGraph

#: Seconds on the wall that a plan is waited for: the searches have limits of their own.
_PATIENCE = 120.0


def best_length(home: Home, goal: Formula, catalogue: Catalogue) -> int | None:
    """Number of controls of the best plan known; None if there is no plan."""
    beliefs, places = full_knowledge(home, catalogue)
    domain = catalogue.domain
    resting = [
        name
        for name, parameters in domain.predicates.items()
        if len(parameters) == 2 and catalogue.vocabulary[name].group == "rests"
    ]
    task = PlanTask(domain, places.travel_costs(), ProblemForms(domain, places, resting))
    task.refresh(beliefs)
    try:
        problem = make_problem(domain, beliefs, goal, task.functions).problem
    except ProblemError:
        return None
    solution = task.solve(problem, _service().submit).result(timeout=_PATIENCE)
    if solution.status != "solved":
        return None
    objects = TypedObjects(problem.domain, problem.objects)
    return sum(
        instantiate(problem.domain.operators[name], arguments, objects, problem.functions).cost
        for name, arguments in solution.steps
    )


@lru_cache(maxsize=1)
def _service() -> PlanningService:
    """One service for all plans, so that the planner stays warm."""
    return PlanningService(Settings())


# -- full knowledge ---
_ROBOT, _HAND, _START = "robot1", "hand", "start"


def full_knowledge(home: Home, catalogue: Catalogue) -> tuple[Snapshot, PlaceGraph]:
    """All that is true of *home*, as beliefs to plan with *catalogue* from, and every way through it.

    The places are the furniture, with what it takes to go from before one piece to before another: as many
    controls as that takes.
    """
    ontology = catalogue.ontology
    belief, places = Belief(catalogue.vocabulary), PlaceGraph()
    names = {thing.id: f"{thing.class_name}_{thing.id}" for thing in home.things.values()}

    def meet(name: str, class_name: str, fixed: bool = True) -> None:
        add_entity(belief, ontology, Entity(name, {class_name: 1.0}, fixed=fixed), time=0.0, source="map")

    meet(_ROBOT, "robot")
    meet(_HAND, "hand")
    meet(_START, "waypoint")
    for atom in (has_hand((_ROBOT, _HAND)), hand_free((_ROBOT, _HAND)), robot_at(_ROBOT, _START)):
        belief.tell(atom, source="map")
    for thing in home.things.values():
        meet(names[thing.id], thing.class_name, fixed=thing.is_furniture)
        if thing.is_furniture:
            belief.tell((OBJECT_AT, names[thing.id], names[thing.id]), source="map")
    for thing in home.things.values():
        _tell_of(belief, thing, names)
    _connect(places, home, names)
    for atom in places.connections():
        belief.tell(atom, source="map")
    ConsequenceUpdater(ontology.follows, ontology.type_of).update(belief, 0.0)
    return belief.snapshot(), places


def _tell_of(belief: Belief, thing: HomeObject, names: Mapping[str, str]) -> None:
    name = names[thing.id]
    if thing.rests is not None and not thing.is_furniture:
        belief.tell((thing.rests.relation, name, names[thing.rests.support]), source="camera")
    for state in sorted(thing.states):
        if state in belief.vocabulary.predicates:
            belief.tell((state, name), source="camera")


# -- ways ------------------------------------------------------------------------------------------------


def _connect(places: PlaceGraph, home: Home, names: Mapping[str, str]) -> None:
    layout, posture = home.layout, home.posture
    stands: dict[str, tuple[Cell, int]] = {_START: (posture.cell, posture.heading)}
    for thing in home.furniture():
        assert thing.piece is not None
        spots = layout.spots_before(thing.piece)
        if spots:
            stands[names[thing.id]] = spots[0], _towards(layout, thing.piece)
    for name, (cell, heading) in stands.items():
        places.add(name, (float(cell[0]), float(cell[1]), float(heading)), "home")
    done: list[str] = []
    for name, (cell, heading) in stands.items():
        steps = steps_from(cell, layout.reachable)
        for other in done:
            there, looks = stands[other]
            if there in steps:
                turns = abs((heading - looks + 180) % 360 - 180) // TURN
                places.connect(name, other, max(1, steps[there] + turns))
        done.append(name)


def _towards(layout: Layout, piece: Piece) -> int:
    front = piece if piece.base is None else layout.pieces[piece.base]
    return (front.facing + 180) % 360
