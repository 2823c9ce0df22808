from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from foretree.config import ConfigError, find_config, read_yaml
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.layouts.geometry import CELL
from foretree.world_model.ontology_file import load_ontology

BODIES = load_object_classes()


def test_there_are_many_classes_of_things() -> None:
    assert len(set(BODIES.items) - {item.slices for item in BODIES.items.values()}) >= 60
    assert len(BODIES.furniture) >= 20


def test_furniture_covers_whole_cells() -> None:
    for body in BODIES.furniture.values():
        for length in (*body.widths, *body.depths):
            assert (length / CELL).is_integer(), body.name


def test_what_has_a_door_has_an_inside() -> None:
    for body in BODIES.furniture.values():
        if "openable" in body.traits:
            assert body.relations[0] == "in", body.name


def test_slices_are_smaller_than_what_they_are_cut_from() -> None:
    for item in BODIES.items.values():
        if item.slices is not None:
            assert max(BODIES.items[item.slices].size) <= max(item.size)


def test_slices_are_called_after_what_they_are_cut_from() -> None:
    for item in BODIES.items.values():
        assert item.slices in (None, f"{item.name}_slice")


@pytest.mark.parametrize(
    ("name", "relations"),
    [
        ("counter", ("on",)),
        ("table", ("on", "under")),
        ("fridge", ("in",)),
        ("dresser", ("in", "on")),
        ("shelf", ("on",)),
        ("coffee_machine", ("under",)),
        ("sink", ("in",)),
        ("lamp", ()),
    ],
)
def test_how_things_rest_follows_from_the_form(name: str, relations: tuple[str, ...]) -> None:
    assert BODIES.furniture[name].relations == relations


@pytest.mark.parametrize(
    ("where", "change", "message"),
    [
        (("furniture", "fridge"), {"is": ["opnable"]}, "expected"),
        (("furniture", "fridge"), {"size": [0.7, 0.75, 1.75]}, "0.7 m is not a number of cells"),
        (("furniture", "fridge"), {"boards": []}, "closets, and only they, have boards"),
        (("furniture", "fridge"), {"boards": [2.0]}, "boards are lower than the top at 1.75 m"),
        (("furniture", "sink"), {"depth": 0.0}, "basins, and only they, have a depth"),
        (("furniture", "sink"), {"weight": 3}, "there is no such key"),
        (("items", "apple"), {"slices": "aple_slice"}, "Did you mean apple_slice"),
        (("items", "fridge"), {"size": [1, 1, 1], "colour": [0, 0, 0]}, "there is furniture of that name"),
    ],
)
def test_a_mistake_in_the_file_is_named(
    tmp_path: Path, where: tuple[str, str], change: dict[str, object], message: str
) -> None:
    said = read_yaml(find_config("homes", "bodies"))
    said[where[0]].setdefault(where[1], {}).update(change)
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(said), encoding="utf-8")
    with pytest.raises(ConfigError, match=message) as caught:
        load_object_classes(str(path))
    assert f"{where[0]}.{where[1]}" in str(caught.value)
    assert f"{path}:" in str(caught.value)


@pytest.mark.parametrize(
    ("affordance", "trait"),
    [
        ("washable", "dish"),
        ("fillable", "vessel"),
        ("cup_sized", "cup"),
        ("cookable", "cookable"),
        ("blade", "blade"),
        ("openable", "openable"),
    ],
)
def test_agents_know_what_can_be_done_with_things(affordance, trait):
    ontology = load_ontology(find_config("domains", "home"))
    for name, body in BODIES.items.items():
        assert ontology.affords(name, affordance) == (trait in body.traits), name


def test_agents_know_what_can_be_sliced_and_toasted() -> None:
    ontology = load_ontology(find_config("domains", "home"))
    for name, body in BODIES.items.items():
        assert ontology.affords(name, "sliceable") == (body.slices is not None), name
        assert ontology.affords(name, "toastable") == body.toasts, name
