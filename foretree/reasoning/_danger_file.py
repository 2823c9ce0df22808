"""The form of the file of dangers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import Field

from foretree.config import read_yaml
from foretree.file_errors import error_at
from foretree.schema import Strict, validate
from foretree.world_model.beliefs.consequences import read_pattern
from foretree.world_model.beliefs.facts import Atom


class _Danger(Strict):
    never: tuple[str, ...] = ()
    where: dict[str, tuple[str, ...]] = Field(min_length=1)
    because: str = Field(min_length=1)
    said: tuple[str, ...] = ()


class _File(Strict):
    kinds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    dangers: tuple[_Danger, ...] = ()


def read_danger_file(
    path: Path,
) -> Iterator[tuple[tuple[Atom, ...], Mapping[str, frozenset[str]], str, tuple[str, ...]]]:
    """Yield the parts of each danger of a file.

    Raises:
        ConfigError: it cannot be read, or says something that makes no sense.
    """
    read = validate(_File, read_yaml(path), path)
    for index, danger in enumerate(read.dangers):
        atoms: list[Atom] = []
        for number, text in enumerate(danger.never):
            atom = read_pattern(text)
            if atom is None:
                problem = f"write (in ?thing ?place), not {text!r}."
                raise error_at(path, ("dangers", index, "never", number), problem)
            atoms.append(atom)
        where = {
            variable: frozenset(name for kind in kinds for name in read.kinds.get(kind, (kind,)))
            for variable, kinds in danger.where.items()
        }
        try:
            danger.because.format_map(dict.fromkeys(_variables(atoms, where), ""))
        except (KeyError, ValueError, IndexError) as error:
            problem = f"{danger.because!r} may name {', '.join(sorted(where))} in braces, nothing else."
            raise error_at(path, ("dangers", index, "because"), problem) from error
        yield tuple(atoms), where, danger.because, danger.said


def _variables(atoms: list[Atom], where: Mapping[str, frozenset[str]]) -> set[str]:
    return {*where, *(term[1:] for atom in atoms for term in atom[1:] if term.startswith("?"))}
