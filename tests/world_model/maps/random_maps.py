"""Random maps that make sense, for properties."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from foretree.world_model.maps.building_map import BuildingMap
from foretree.world_model.maps.map_builder import MapBuilder

#: A place in a room, as shares of its sides, for each kind of node. They are far enough apart in any room.
POSES = {"west": (0.1, 0.5), "east": (0.9, 0.5), "south": (0.5, 0.1), "north": (0.5, 0.9)}
ASSETS = {"sw": (0.2, 0.2), "ne": (0.8, 0.8), "nw": (0.2, 0.8)}

#: Two of them are words for YAML; a name is a name.
NAMES = ("yes", "null", "on")

texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cn")), max_size=30)
costs = st.none() | st.integers(0, 500)


@st.composite
def maps(draw, image: Path) -> BuildingMap:
    """A grid of rooms with poses, assets, doors and openings, all connected."""
    columns, rows = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    xs = [0.0]
    for _ in range(columns):
        xs.append(xs[-1] + draw(st.floats(3.0, 7.0)))
    ys = [-2.0, 1.5, 5.75][: rows + 1]
    builder = MapBuilder(draw(texts.filter(lambda text: text.strip())), draw(texts))

    def at(column: int, row: int, share: tuple[float, float]) -> tuple[float, float]:
        low, high = (xs[column], ys[row]), (xs[column + 1], ys[row + 1])
        return low[0] + share[0] * (high[0] - low[0]), low[1] + share[1] * (high[1] - low[1])

    cells = [(column, row) for row in range(rows) for column in range(columns)]
    name_of = {cell: NAMES[i] if i < len(NAMES) else f"room{i}" for i, cell in enumerate(cells)}
    for cell in draw(st.permutations(cells)):
        room = name_of[cell]
        low, high = at(*cell, (0, 0)), at(*cell, (1, 1))
        middle = draw(st.sampled_from([None, at(*cell, (0.5, 0.6))]))
        builder.room(room, low, high, at=middle, says=draw(texts))
        for side, share in POSES.items():
            builder.pose(f"{room}-{side}", room, at(*cell, share))
            builder.edge(room, f"{room}-{side}", cost=draw(costs))
        for corner in draw(st.sets(st.sampled_from(sorted(ASSETS)))):
            name = f"{room}_{corner}"
            caption = draw(texts.filter(lambda text: text.strip()))
            builder.asset(name, "table", room, at(*cell, ASSETS[corner]), image=image, caption=caption)
            builder.way(f"{room}-south", name, f"{room}-north")
    for column, row in cells:
        for side, other, neighbour, share in (
            ("east", "west", (column + 1, row), (1.0, 0.5)),
            ("north", "south", (column, row + 1), (0.5, 1.0)),
        ):
            if neighbour not in name_of:
                continue
            ends = [f"{name_of[column, row]}-{side}", f"{name_of[neighbour]}-{other}"]
            if draw(st.booleans()):
                ends.reverse()
            door = None
            if draw(st.booleans()):
                door = f"door-{column}-{row}-{side}"
                builder.door(door, at(column, row, share))
            builder.edge(*ends, cost=draw(costs), door=door)
    return builder.build()


def said_by(building: BuildingMap) -> tuple[object, ...]:
    """All that a map says, to be compared; images by the file that they are."""
    return (
        building.name,
        building.says,
        list(building.places.places()),
        list(building.places.passages()),
        list(building.rooms.items()),
        [
            (a.name, a.class_name, a.room, a.at, a.image.resolve(), a.caption)
            for a in building.assets.values()
        ],
        list(building.doors.items()),
    )
