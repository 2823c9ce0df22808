"""The tasks of ALFRED's trials, as families of household tasks with their parameters."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.errors import suggest
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.alfred.classes import load_alfred_classes
from foretree.simulation.grid_homes.alfred.rooms import AlfredError
from foretree.simulation.grid_homes.alfred.trials import AlfredTrial

#: The families for the types of tasks.
KINDS: Mapping[str, str] = {
    "pick_and_place_simple": "pick_and_place",
    "pick_two_obj_and_place": "pick_two_and_place",
    "look_at_obj_in_light": "examine_in_light",
    "pick_clean_then_place_in_recep": "clean_and_place",
    "pick_heat_then_place_in_recep": "heat_and_place",
    "pick_cool_then_place_in_recep": "cool_and_place",
    "pick_and_place_with_movable_recep": "stack_and_place",
}


def task_of(trial: AlfredTrial) -> tuple[str, Mapping[str, str]]:
    """The family of a trial's task, and its parameters.

    Raises:
        AlfredError: homes have nothing like what it is about.
    """
    if trial.kind not in KINDS:
        raise AlfredError(f"There is no type of task {trial.kind!r}. {suggest(trial.kind, KINDS)}")
    family = KINDS[trial.kind]
    item = _item(trial.target)
    if trial.sliced:
        slices = load_object_classes().items[item].slices
        if slices is None:
            raise AlfredError(f"A {trial.target} is nothing to slice in a grid home.")
        item = slices
    found = {"item": item}
    if family == "stack_and_place":
        found["holder"] = _item(trial.holder)
    if family != "examine_in_light":
        place = load_alfred_classes().place(trial.place)
        if place is None:
            raise AlfredError(f"There is no place like {trial.place!r} in grid homes.")
        found["place"] = place
    return family, found


def _item(name: str) -> str:
    ours = load_alfred_classes().items.get(name)
    if ours is None:
        raise AlfredError(f"There is nothing like {name!r} in grid homes.")
    return ours
