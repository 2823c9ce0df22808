"""New files to start from: a skill, a robot, a scene, a map. Each works as it is and says what to change.

The templates are ordinary files in ``configs/templates``, called ``my_skill`` and so on inside; a new file is
a copy with its own name in that place. Your own ``FORETREE_CONFIGS/templates`` go before ours.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from foretree.config import config_files
from foretree.errors import ForetreeError, suggest

_SUFFIXES = (".yaml", ".py")


class ScaffoldError(ForetreeError):
    """A new file cannot be made: there is no such template, the name is no name, or the file is there."""


def kinds() -> dict[str, Path]:
    """Return the templates by the kind of file that is made from them."""
    return {kind: path for suffix in _SUFFIXES for kind, path in config_files("templates", suffix).items()}


def create(kind: str, name: str, directory: Path) -> Path:
    """Make a new file of a kind, called *name*, in *directory* (which is made if need be).

    Raises:
        ScaffoldError: the message says what would have been valid.
    """
    templates = kinds()
    if kind not in templates:
        raise ScaffoldError(f"There is no template for a {kind}. {suggest(kind, templates)}")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ScaffoldError(
            f"{name!r} cannot be the name of a {kind}: use lower-case letters, digits and underscores, "
            f"beginning with a letter{_instead(name)}."
        )
    template = templates[kind]
    path = directory / f"{name}{template.suffix}"
    text = template.read_text(encoding="utf-8")
    for old, new in (
        (f"my_{kind}", name),
        (f"my {kind}", name.replace("_", " ")),
        (f"My{kind.title()}", _class_name(name)),
        ("MyExecution", f"{_class_name(name)}Execution"),
    ):
        text = text.replace(old, new)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ScaffoldError(f"{path} is there already; choose another name, or remove it first.") from None
    except OSError as error:
        raise ScaffoldError(f"Cannot write {path}: {error.strerror}.") from error
    return path


def how_to_try(kind: str, path: Path) -> str:
    """Return a command, or a sentence, that shows a new file at work."""
    ask = "foretree run"
    mango = f'{ask} "put the mango into the fridge"'
    words = path.stem.replace("_", " ")
    return {
        "skill": f'move it to skills/ in a folder, then FORETREE_CONFIGS=FOLDER {ask} "{words} a mug"',
        "scene": f"{mango} --scene {path}",
        "map": f"foretree map show {path} --png {path.stem}.png",
        "agent": f"{mango} --agent {path}",
        "robot": "docs/robots.md has a program that puts a robot to work.",
    }.get(kind, "its comments say how.")


def _instead(name: str) -> str:
    fixed = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_").lstrip("0123456789_")
    if not fixed or fixed == name or keyword.iskeyword(fixed):
        return ""
    return f", for example {fixed}"


def _class_name(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))
