"""Mistakes in configuration files: the line, the key, and what would have been valid."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field, StrictBool, StrictInt

from foretree.config import ConfigError, read_yaml
from foretree.errors import ForetreeError
from foretree.file_errors import errors_at, line_of
from foretree.schema import Strict, validate


class Wheel(Strict):
    radius: float


class Car(Strict):
    name: str
    doors: StrictBool | StrictInt = 4
    seats: int = Field(default=5, ge=1)
    plate: tuple[str, int] | None = None
    colour: Literal["red", "black"] = "red"
    wheels: tuple[Wheel, ...] = ()
    spares: list[Wheel] = Field(default_factory=list)
    parts: Mapping[str, Wheel] = Field(default_factory=dict)
    steering: Wheel | None = None


GOOD = """\
name: beetle
wheels:
  - radius: 1
  - radius: 2
spares: [{radius: 3}]
parts:
  left: {radius: 4}
steering:
  radius: 5
"""


@pytest.fixture
def load(tmp_path):
    def load(text: str) -> Car:
        path = tmp_path / "car.yaml"
        path.write_text(text)
        return validate(Car, read_yaml(path), path)

    return load


def test_what_fits_is_the_model(load):
    assert load(GOOD).wheels == (Wheel(radius=1), Wheel(radius=2))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("name", "nmae", "car.yaml:1: nmae: there is no such key. Did you mean name?"),
        ("radius: 2", "raduis: 2", "car.yaml:4: wheels.1.raduis: there is no such key. Did you mean radius?"),
        ("radius: 3", "raduis: 3", "car.yaml:5: spares.0.raduis: there is no such key. Did you mean radius?"),
        (
            "radius: 4",
            "raduis: 4",
            "car.yaml:7: parts.left.raduis: there is no such key. Did you mean radius?",
        ),
        ("radius: 5", "raduis: 5", "car.yaml:9: steering.raduis: there is no such key. Did you mean radius?"),
        ("name: beetle\n", "", "car.yaml:1: name: is missing."),
        ("  - radius: 2", "  - {}", "car.yaml:4: wheels.1.radius: is missing."),
        (
            "radius: 4",
            "radius: big",
            "car.yaml:7: parts.left.radius: expected a number, not 'big'.",
        ),
        (
            "radius: 4",
            "radius: null",
            "car.yaml:7: parts.left.radius: expected a number, but nothing is said.",
        ),
        ("name: beetle", "name: 7", "car.yaml:1: name: expected text, not 7."),
        (
            "name: beetle",
            "name: beetle\ndoors: few",
            "car.yaml:2: doors: expected true or false, or a whole number, not 'few'.",
        ),
        (
            "name: beetle",
            "name: beetle\nplate: [A, 1, 2]",
            "car.yaml:2: plate: expected at most 2 values, not ['A', 1, 2].",
        ),
        ("name: beetle", "name: beetle\nseats: 0", "car.yaml:2: seats: expected a number from 1 on, not 0."),
        (
            "name: beetle",
            "name: beetle\ncolour: green",
            "car.yaml:2: colour: expected 'red' or 'black', not 'green'.",
        ),
    ],
)
def test_a_mistake_has_its_line_and_what_would_be_valid(load, before, after, message):
    with pytest.raises(ConfigError) as error:
        load(GOOD.replace(before, after, 1))
    assert message in str(error.value)


def test_the_line_of_what_is_not_there_is_that_of_what_is_around_it(tmp_path: Path):
    path = tmp_path / "car.yaml"
    path.write_text(GOOD)
    assert line_of(path, ("parts", "left", "radius")) == 7
    assert line_of(path, ("parts", "right")) == 6
    assert line_of(path, ("wheels", 9)) == 2


def test_what_goes_wrong_inside_is_wrong_at_its_place(tmp_path):
    path = tmp_path / "car.yaml"
    path.write_text(GOOD)
    with (
        pytest.raises(ConfigError, match=r"car.yaml:7: parts.left: it is flat.$") as caught,
        errors_at(path, ("parts", "left")),
    ):
        raise ForetreeError("it is flat.")
    assert str(caught.value.__cause__) == "it is flat."
    with pytest.raises(ZeroDivisionError), errors_at(path, ("parts",)):
        raise ZeroDivisionError
