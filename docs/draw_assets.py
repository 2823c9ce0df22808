"""Draw what the assets of the office map look like from the front: ``python docs/draw_assets.py``.

The pictures anchor the map's asset nodes until somebody puts photographs in their place. They are drawn, so
that they are small, free of licences, and the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from PIL import Image, ImageDraw, ImageFont

from foretree.config import find_config, read_yaml

WIDTH, HEIGHT = 160, 120

#: Drawn this many times as large and then reduced, which smooths the edges.
SCALE = 4

FLOOR = 96
WALL, SKIRTING, PLANKS = "#e9e6df", "#cfc9bd", "#b99b78"
WOOD, DARK_WOOD, LIGHT_WOOD = "#b07a48", "#7d5230", "#d6a873"
METAL, DARK_METAL, WHITE, SHADE = "#b9bec4", "#767d86", "#f7f7f5", "#d9dade"
BLACK, GLASS, WATER = "#33363b", "#a9cfe4", "#6fb1d8"
RED, GREEN, YELLOW, BLUE = "#c0493f", "#4f8f4a", "#e5b93c", "#3f6fa8"


class Sheet:
    """A drawing in the coordinates of the finished picture."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), WALL)
        self._draw = ImageDraw.Draw(self.image)
        self.box(0, FLOOR, WIDTH, HEIGHT, PLANKS, None)
        self.box(0, FLOOR - 4, WIDTH, FLOOR, SKIRTING, None)

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: str | None,
        line: str | None = BLACK,
        round_by: float = 0,
    ) -> None:
        """A rectangle, perhaps with round corners."""
        box = [side * SCALE for side in (left, top, right, bottom)]
        self._draw.rounded_rectangle(box, round_by * SCALE, fill, line, SCALE if line else 0)

    def oval(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: str | None,
        line: str | None = BLACK,
    ) -> None:
        """An ellipse."""
        box = [side * SCALE for side in (left, top, right, bottom)]
        self._draw.ellipse(box, fill, line, SCALE if line else 0)

    def shape(self, *corners: tuple[float, float], fill: str, line: str | None = BLACK) -> None:
        """A polygon."""
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in corners], fill, line, SCALE if line else 0)

    def line(self, *points: tuple[float, float], fill: str = BLACK, width: float = 1) -> None:
        """A line through points."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self._draw.line(scaled, fill, round(width * SCALE), joint="curve")

    def text(self, x: float, y: float, text: str, size: float, fill: str = BLACK) -> None:
        """Text with its middle at a point."""
        self._draw.text((x * SCALE, y * SCALE), text, fill, ImageFont.load_default(size * SCALE), anchor="mm")

    def finished(self) -> Image.Image:
        """The picture at its size, in few colours."""
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        return small.quantize(64, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def desk(sheet: Sheet, name: str) -> None:
    """A desk under the number of its office; odd numbers have the drawers on the left."""
    number = int(re.sub(r"\D", "", name))
    wood = (WOOD, LIGHT_WOOD, DARK_WOOD)[number % 3]
    sheet.box(60, 12, 100, 32, WHITE, DARK_METAL, 2)
    sheet.text(80, 22, str(number), 15)
    sheet.box(18, 54, 142, 61, wood)
    drawers, leg = ((24, 54), (128, 134)) if number % 2 else ((106, 136), (26, 32))
    sheet.box(leg[0], 61, leg[1], 104, DARK_METAL)
    sheet.box(drawers[0], 61, drawers[1], 104, wood)
    for top in (63, 76, 89):
        sheet.box(drawers[0] + 2, top, drawers[1] - 2, top + 12, wood)
        sheet.box(drawers[0] + 11, top + 4, drawers[0] + 19, top + 6, METAL)


def kitchen_table(sheet: Sheet, name: str) -> None:
    """A table with its number, and as many stripes on its cloth: there are three to tell apart."""
    number = int(name[-1])
    colour = (RED, BLUE, GREEN)[number - 1]
    for left in (26, 124):
        sheet.box(left, 60, left + 9, 106, WOOD)
    sheet.box(14, 50, 146, 58, LIGHT_WOOD)
    sheet.shape((34, 50), (126, 50), (126, 72), (34, 72), fill=WHITE)
    for stripe in range(number):
        sheet.box(34, 54 + 6 * stripe, 126, 57 + 6 * stripe, colour, None)
    sheet.box(34, 50, 126, 72, None)
    sheet.text(80, 30, str(number), 22, colour)


def meeting_table(sheet: Sheet, name: str) -> None:
    """A long table with chairs behind it."""
    for left in (20, 50, 82, 114):
        sheet.box(left, 36, left + 24, 70, BLUE, round_by=5)
    sheet.box(6, 58, 154, 66, DARK_WOOD)
    for left in (18, 74, 130):
        sheet.box(left, 66, left + 10, 106, DARK_WOOD)


def storage_table(sheet: Sheet, name: str) -> None:
    """A workbench with a board below."""
    sheet.box(16, 48, 144, 56, METAL)
    for left in (20, 132):
        sheet.box(left, 56, left + 8, 106, DARK_METAL)
    sheet.box(20, 84, 140, 89, METAL)
    for left, top, right in ((34, 66, 62), (66, 72, 88), (94, 62, 126)):
        sheet.box(left, top, right, 84, LIGHT_WOOD)
        sheet.line(((left + right) / 2, top), ((left + right) / 2, 84), fill=WOOD, width=2)


def storage_drawers(sheet: Sheet, name: str) -> None:
    """A chest of yellow drawers."""
    sheet.box(42, 20, 118, 106, DARK_METAL)
    for top in (24, 44, 64, 84):
        sheet.box(46, top, 114, top + 17, YELLOW, round_by=1)
        sheet.box(70, top + 6, 90, top + 10, WHITE)


def fridge(sheet: Sheet, name: str) -> None:
    """A fridge with a freezer above."""
    sheet.box(50, 8, 110, 108, WHITE, round_by=3)
    sheet.line((50, 38), (110, 38))
    sheet.box(100, 20, 104, 34, METAL)
    sheet.box(100, 44, 104, 70, METAL)
    sheet.box(56, 108, 64, 111, BLACK)
    sheet.box(96, 108, 104, 111, BLACK)


def sink(sheet: Sheet, name: str) -> None:
    """A basin in a cupboard, with a tap."""
    sheet.box(28, 62, 132, 106, LIGHT_WOOD)
    sheet.line((80, 62), (80, 106))
    sheet.oval(70, 78, 76, 84, METAL)
    sheet.oval(84, 78, 90, 84, METAL)
    sheet.box(22, 55, 138, 62, METAL)
    sheet.shape((44, 55), (116, 55), (108, 70), (52, 70), fill=SHADE)
    sheet.line((80, 55), (80, 26), (98, 26), (98, 35), fill=DARK_METAL, width=5)
    sheet.line((72, 46), (88, 46), fill=RED, width=4)
    sheet.line((98, 37), (98, 56), fill=WATER, width=3)


def coffee_maker(sheet: Sheet, name: str) -> None:
    """A machine with room for a cup under its outlet."""
    sheet.box(18, 88, 142, 95, WOOD)
    sheet.box(28, 95, 132, 110, LIGHT_WOOD)
    sheet.box(50, 20, 110, 42, BLACK, round_by=3)
    sheet.box(50, 42, 66, 88, BLACK)
    sheet.box(50, 80, 110, 88, BLACK, round_by=2)
    sheet.box(74, 77, 106, 80, METAL)
    sheet.box(84, 42, 96, 49, METAL)
    sheet.oval(56, 26, 64, 34, GREEN)
    sheet.box(72, 26, 104, 35, GLASS)


def microwave(sheet: Sheet, name: str) -> None:
    """A microwave on its table."""
    sheet.box(14, 76, 146, 83, LIGHT_WOOD)
    for left in (22, 130):
        sheet.box(left, 83, left + 8, 110, WOOD)
    sheet.box(30, 30, 130, 76, SHADE, round_by=3)
    sheet.box(37, 37, 98, 69, BLACK, round_by=2)
    sheet.box(42, 42, 93, 64, "#56616b", None)
    sheet.box(101, 40, 104, 66, METAL)
    sheet.box(109, 37, 125, 45, GLASS)
    for top in (49, 56, 63):
        for left in (109, 115, 121):
            sheet.box(left, top, left + 4, top + 4, WHITE, DARK_METAL)


def kettle_table(sheet: Sheet, name: str) -> None:
    """A small table with the base that a kettle stands on, and its cord."""
    sheet.box(26, 70, 134, 77, LIGHT_WOOD)
    for left in (36, 116):
        sheet.box(left, 77, left + 8, 110, WOOD)
    sheet.box(118, 40, 132, 54, WHITE, DARK_METAL, 2)
    sheet.oval(123, 44, 126, 47, BLACK)
    sheet.oval(123, 48, 126, 51, BLACK)
    sheet.line((125, 49), (110, 62), (96, 66), fill=BLACK, width=2)
    sheet.oval(56, 61, 104, 70, BLACK)
    sheet.oval(70, 62, 90, 67, METAL)


def washing_machine(sheet: Sheet, name: str) -> None:
    """A front loader."""
    sheet.box(42, 16, 118, 108, WHITE, round_by=3)
    sheet.line((42, 34), (118, 34))
    sheet.box(47, 20, 70, 30, SHADE)
    sheet.oval(78, 19, 90, 31, METAL)
    sheet.box(96, 21, 112, 29, BLACK)
    sheet.oval(54, 44, 106, 96, METAL)
    sheet.oval(61, 51, 99, 89, GLASS)
    sheet.oval(68, 56, 82, 66, WHITE, None)


def drying_rack(sheet: Sheet, name: str) -> None:
    """A clothes horse with wings."""
    for foot, top in (((36, 110), (112, 44)), ((124, 110), (48, 44))):
        sheet.line(foot, top, fill=DARK_METAL, width=3)
    sheet.line((8, 28), (48, 44), (112, 44), (152, 28), fill=DARK_METAL, width=3)
    for left in range(54, 112, 8):
        sheet.line((left, 41), (left, 47), fill=METAL, width=3)
    for step in range(1, 5):
        for side in (1, -1):
            x = 80 + side * (32 + step * 8)
            sheet.line((x, 43 - step * 3.2), (x, 49 - step * 3.2), fill=METAL, width=3)


def couch(sheet: Sheet, name: str) -> None:
    """A couch for two."""
    sheet.box(24, 38, 136, 80, BLUE, round_by=6)
    sheet.line((80, 40), (80, 68), width=1)
    sheet.box(28, 68, 80, 88, "#5585bd", round_by=4)
    sheet.box(80, 68, 132, 88, "#5585bd", round_by=4)
    sheet.box(12, 54, 30, 98, BLUE, round_by=6)
    sheet.box(130, 54, 148, 98, BLUE, round_by=6)
    sheet.box(26, 86, 134, 98, BLUE)
    for left in (20, 132):
        sheet.box(left, 98, left + 8, 106, DARK_WOOD)


def blackboard(sheet: Sheet, name: str) -> None:
    """A board with chalk writing and a tray."""
    sheet.box(14, 14, 146, 80, WOOD)
    sheet.box(19, 19, 141, 75, "#2f4a3f", None)
    sheet.text(58, 36, "area = b · h / 2", 12, WHITE)
    sheet.line((96, 66), (130, 66), (130, 34), (96, 66), fill=WHITE, width=1)
    sheet.line((28, 52), (80, 52), fill=SHADE, width=1)
    sheet.line((28, 60), (66, 60), fill=SHADE, width=1)
    sheet.box(30, 80, 130, 85, LIGHT_WOOD)
    sheet.box(50, 77, 66, 80, WHITE)


def window(sheet: Sheet, name: str) -> None:
    """A window whose blinds are half way down."""
    sheet.box(32, 10, 128, 84, WHITE)
    sheet.box(38, 16, 78, 78, GLASS)
    sheet.box(82, 16, 122, 78, GLASS)
    sheet.oval(46, 56, 74, 84, GREEN, None)
    sheet.oval(92, 60, 120, 86, GREEN, None)
    sheet.box(32, 78, 128, 84, WHITE)
    for top in range(14, 50, 5):
        sheet.box(34, top, 126, top + 3, LIGHT_WOOD, WOOD)
    sheet.line((120, 14), (120, 66), fill=DARK_METAL, width=1)
    sheet.box(26, 84, 134, 89, SHADE)


def trash_bin(sheet: Sheet, name: str) -> None:
    """A bin with a lid that a pedal lifts."""
    sheet.shape((56, 44), (104, 44), (100, 108), (60, 108), fill=METAL)
    for left in (68, 80, 92):
        sheet.line((left, 50), (80 + (left - 80) * 0.85, 104), fill=DARK_METAL, width=1)
    sheet.box(52, 36, 108, 44, DARK_METAL, round_by=3)
    sheet.box(74, 31, 86, 36, DARK_METAL)
    sheet.box(72, 106, 88, 111, BLACK)


def flower_bed(sheet: Sheet, name: str) -> None:
    """Flowers in a long box of soil."""
    for index, colour in enumerate((RED, YELLOW, "#b968b0", RED, YELLOW, "#b968b0")):
        x, top = 32 + 19 * index, 38 + (index % 2) * 10
        sheet.line((x, top), (x, 80), fill=GREEN, width=2)
        sheet.shape((x, 72), (x - 9, 62), (x - 1, 65), fill=GREEN, line=None)
        sheet.shape((x, 76), (x + 9, 66), (x + 1, 69), fill=GREEN, line=None)
        for dx, dy in ((-5, 0), (5, 0), (0, -5), (0, 5)):
            sheet.oval(x + dx - 4, top + dy - 4, x + dx + 4, top + dy + 4, colour, None)
        sheet.oval(x - 3, top - 3, x + 3, top + 3, WHITE, None)
    sheet.box(16, 76, 144, 84, "#5a4032")
    sheet.shape((14, 82), (146, 82), (140, 108), (20, 108), fill=WOOD)


#: What to draw for an asset: by its name without the number.
DRAWINGS: dict[str, Callable[[Sheet, str], None]] = {
    "blackboard": blackboard,
    "coffee_maker": coffee_maker,
    "couch": couch,
    "drying_rack": drying_rack,
    "flower_bed": flower_bed,
    "fridge": fridge,
    "kettle_table": kettle_table,
    "kitchen_table": kitchen_table,
    "meeting_table": meeting_table,
    "microwave": microwave,
    "sink": sink,
    "storage_drawers": storage_drawers,
    "storage_table": storage_table,
    "table": desk,
    "trash_bin": trash_bin,
    "washing_machine": washing_machine,
    "window": window,
}


def drawing(name: str) -> Image.Image:
    """What an asset looks like from the front."""
    sheet = Sheet()
    DRAWINGS[name.rstrip("0123456789")](sheet, name)
    return sheet.finished()


if __name__ == "__main__":
    # Read as plain YAML: the map itself is refused as long as a picture is missing.
    path = find_config("maps", "office")
    for name, asset in read_yaml(path)["assets"].items():
        picture = path.parent / asset["image"]
        picture.parent.mkdir(exist_ok=True)
        drawing(name).save(picture, optimize=True)
    print(f"The assets of {path} are drawn.")
