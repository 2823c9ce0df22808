from __future__ import annotations

import pytest

from foretree.simulation.grid_homes._object_classes import Relation, load_object_classes
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement, Posture
from foretree.simulation.grid_homes.layouts.layout import Layout, Piece, Room
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.simulation.grid_homes.rules import ControlResult, HomeRules
from foretree.skills.embodied.body import Control, Manipulation, Motion

#: One of everything that a rule asks for, side by side along one wall: class, width and depth in cells.
ROW = [
    ("fridge", 3, 3),
    ("counter", 5, 2),
    ("sink", 3, 2),
    ("stove", 3, 2),
    ("counter", 5, 2),
    ("cabinet", 3, 2),
    ("table", 4, 3),
    ("shelf", 3, 1),
    ("lamp", 1, 1),
    ("plant", 1, 1),
    ("sideboard", 4, 2),
    ("sofa", 6, 3),
]


def one_wall() -> Layout:
    """A long room with everything along its southern wall; the fronts look north."""
    pieces, x = [], 1
    for name, width, depth in ROW:
        pieces.append(Piece(name, x, 1, width, depth, 90))
        x += width
    counters = [index for index, piece in enumerate(pieces) if piece.class_name == "counter"]
    for name, base, at, width, depth in (
        ("microwave", counters[0], 0, 2, 2),
        ("coffee_machine", counters[1], 0, 1, 2),
        ("toaster", counters[1], 2, 1, 1),
    ):
        pieces.append(Piece(name, pieces[base].x + at, 1, width, depth, 90, 0.9, base))
    tall = 12
    walls = frozenset((i, j) for i in range(x + 1) for j in range(tall) if i in (0, x) or j in (0, tall - 1))
    return Layout(
        "lab/0", "lab", True, x + 1, tall, walls, (Room("studio", 1, 1, x, tall - 1),), tuple(pieces)
    )


class Lab:
    """A home to try things in; the robot is wherever one wants it."""

    def __init__(self, layout: Layout | None = None) -> None:
        layout = layout or one_wall()
        self.home = Home(layout, load_object_classes(), Posture(min(layout.reachable), 0))
        self.rules = HomeRules(self.home)

    def the(self, class_name: str) -> HomeObject:
        """The first thing of a class."""
        return self.home.of_class(class_name)[0]

    def add(self, class_name: str, relation: Relation, place: str | HomeObject, *states: str) -> HomeObject:
        """Put something new somewhere."""
        support = self.the(place) if isinstance(place, str) else place
        body = self.home.classes.items[class_name]
        x0, y0, z0, x1, y1, z1 = support.extent
        spot = self.home.spot(body.size, support, relation, ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2))
        assert spot is not None, f"no room for a {class_name} {relation} {support.class_name}"
        return self.home.add(class_name, set(states), body.colour, Placement(relation, support.id), spot)

    def hold(self, class_name: str, *states: str) -> HomeObject:
        """Put something new into the hand."""
        thing = self.add(class_name, "on", "sofa", *states)
        self.home.grasp(thing)
        return thing

    def stand_before(self, thing: HomeObject) -> None:
        """Take the robot to where it can handle a thing."""
        below = [thing, *self.home.supports_of(thing)]
        piece = next(one.piece for one in below if one.piece is not None)
        spots = self.home.layout.spots_before(piece)
        assert spots
        self.home.posture.cell = spots[0]
        self.home.posture.heading = (piece.facing + 180) % 360

    def do(
        self,
        name: Motion | Manipulation,
        target: HomeObject | str | None = None,
        relation: str = "",
        in_view: frozenset[str] | None = None,
    ) -> ControlResult:
        """Stand before something and do something with it."""
        thing = self.the(target) if isinstance(target, str) else target
        if thing is not None and not self.home.is_held(thing):
            self.stand_before(thing)
        return self.rules.do(Control(name, None, relation), thing.id if thing else None, in_view)

    def must(
        self, name: Motion | Manipulation, target: HomeObject | str | None = None, relation: str = ""
    ) -> None:
        """Do something that has to succeed."""
        answer = self.do(name, target, relation)
        assert answer.ok, f"{name}: {answer.message}"

    def carry(self, thing: HomeObject, place: HomeObject | str, relation: str = "") -> None:
        """Take something somewhere."""
        self.must("pick_up", thing)
        self.must("put", place, relation)


@pytest.fixture
def lab() -> Lab:
    return Lab()


@pytest.fixture
def flat() -> Lab:
    """A home as the architect draws it."""
    return Lab(generate_layout("row_flat/0"))
