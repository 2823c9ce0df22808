"""Scene files: ``OBJECTS``, ``RELATIONS`` and ``LOCATIONS``, each up to its ``END-``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from foretree.config import ConfigError, read_text
from foretree.errors import near_miss, suggest
from foretree.planning.pddl.syntax import Typed
from foretree.printable import quote
from foretree.world_model.beliefs.facts import Atom

#: The kinds of agents that a scene has whether or not it lists them.
AGENTS = ("robot", "human")
#: Predicates that are called otherwise in the domain where they have so many arguments.
SAME_PREDICATES: Mapping[tuple[str, int], str] = {("visited", 2): "visited_by"}

_RESTING = ("on", "in", "inhand", "liquid_in")
_SECTIONS = ("OBJECTS", "RELATIONS", "LOCATIONS")
_OBJECT = re.compile(r"([a-z][a-z0-9_-]*?):?(\d+)")


@dataclass(frozen=True)
class AffordanceScene:
    """A scene: what is there, how it is, and what is found where.

    Attributes:
        path: the file.
        objects: the class of each object; agents among them.
        facts: what holds at the start.
        locations: what is found at each place.
        description: what the file says before its first section.
    """

    path: Path
    objects: Mapping[str, str]
    facts: tuple[Atom, ...] = ()
    locations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    description: str = ""

    def of(self, *kinds: str) -> tuple[str, ...]:
        """The objects of these classes."""
        return tuple(name for name, kind in self.objects.items() if kind in kinds)

    def support(self, name: str) -> str | None:
        """Support that a thing rests on or in, or who holds it; of a liquid, the vessel."""
        return next((f[2] for f in self.facts if f[0] in _RESTING and f[1] == name), None)

    def place_of(self, name: str) -> str | None:
        """The location where a thing is, by what it rests on if need be; None if that is not said."""
        seen: list[str] = []
        at: str | None = name
        while at is not None and at not in seen:
            listed = (place for place, found in self.locations.items() if at == place or at in found)
            if (place := next(listed, None)) is not None:
                return place
            seen.append(at)
            stated = next((f[2] for f in self.facts if f[0] == "at" and f[1] == at), None)
            at = self.support(at) or stated
        return None


def read_scene(path: Path, predicates: Mapping[str, tuple[Typed, ...]]) -> AffordanceScene:
    """Read a scene file.

    Args:
        path: the file.
        predicates: those that its relations may state, with their parameters.

    Raises:
        ConfigError: with the file, the line and what would be valid there.
    """
    return _SceneReader(path, predicates).read()


def object_name(text: str, known: Collection[str]) -> str | None:
    """The name of an object that is written ``apple:0`` or ``apple0``; None if there is none such."""
    name = text.lower().replace(":", "")
    return next((one for one in (name, f"{name}0") if one in known), None)


class _SceneReader:
    def __init__(self, path: Path, predicates: Mapping[str, tuple[Typed, ...]]) -> None:
        self._path = path
        self._predicates = predicates
        self._objects: dict[str, str] = {}
        self._facts: list[Atom] = []
        self._locations: dict[str, tuple[str, ...]] = {}

    def read(self) -> AffordanceScene:
        lines = [line.strip() for line in read_text(self._path).removeprefix("\ufeff").splitlines()]
        sections = dict(self._sections(lines))
        if "OBJECTS" not in sections:
            self._fail(len(lines), "there is no line OBJECTS, below which the objects are, as in apple:0.")
        for number in sections["OBJECTS"]:
            self._object(number, lines[number - 1])
        for kind in AGENTS:
            if kind not in self._objects.values():
                self._objects[f"{kind}0"] = kind
        for number in sections.get("LOCATIONS", ()):
            name, *found = lines[number - 1].split()
            place = name.lower().replace(":", "")
            if place in self._locations:
                self._fail(number, f"the location {quote(name)} is listed twice.")
            self._locations[place] = tuple(self._known(number, one) for one in found)
        for number in sections.get("RELATIONS", ()):
            self._fact(number, lines[number - 1])
        says = " ".join(lines[: lines.index("OBJECTS")]).removeprefix("SCENE-DESCRIPTION").strip()
        return AffordanceScene(self._path, self._objects, tuple(self._facts), self._locations, says)

    def _sections(self, lines: list[str]) -> Iterator[tuple[str, list[int]]]:
        """The numbers of the lines of each section that are not empty."""
        name, began, found = "", 0, list[int]()
        for number, line in enumerate(lines, start=1):
            if not name and line in _SECTIONS:
                name, began, found = line, number, []
            elif name and line == f"END-{name}":
                yield name, found
                name = ""
            elif line in _SECTIONS or (line.startswith("END-") and line[4:] in _SECTIONS):
                expected = f"expected END-{name}" if name else f"expected one of {', '.join(_SECTIONS)}"
                self._fail(number, f"{expected}, not {line}.")
            elif name and line:
                found.append(number)
        if name:
            self._fail(began, f"the section {name} has no end: write END-{name} below it.")

    def _object(self, number: int, line: str) -> None:
        for text in line.split():
            match = _OBJECT.fullmatch(text.lower())
            if match is None:
                self._fail(
                    number, f"{quote(text)} is no object: write its class and a number, as in apple:0."
                )
            name = match[1] + match[2]
            if name in self._objects:
                self._fail(number, f"the object {quote(text)} is listed twice.")
            self._objects[name] = match[1]

    def _fact(self, number: int, line: str) -> None:
        predicate, *arguments = line.strip("()").split() or [""]
        predicate = SAME_PREDICATES.get((predicate.lower(), len(arguments)), predicate.lower())
        parameters = self._predicates.get(predicate)
        if parameters is None:
            self._fail(number, f"{quote(predicate)} is no relation. {suggest(predicate, self._predicates)}")
        if len(arguments) != len(parameters):
            shown = " ".join((predicate, *(p.name[1:].upper() for p in parameters)))
            self._fail(number, f"{quote(line)} names {len(arguments)} objects: write {shown}.")
        self._facts.append((predicate, *(self._known(number, text) for text in arguments)))

    def _known(self, number: int, text: str) -> str:
        known = {**self._objects, **self._locations}
        name = object_name(text, known)
        match = _OBJECT.fullmatch(text.lower())
        kinds = {*self._objects.values()}
        if name is None and match is not None and (match[1] in kinds or not near_miss(match[1], kinds)):
            name = match[1] + match[2]  # it was forgotten in the list
            self._objects[name] = match[1]
        if name is None:
            self._fail(number, f"there is no object {quote(text)} in this scene. {suggest(text, known)}")
        return name

    def _fail(self, number: int, problem: str) -> NoReturn:
        raise ConfigError(f"{self._path}:{number}: {problem}")
