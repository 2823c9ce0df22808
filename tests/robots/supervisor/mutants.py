"""Mutants of the supervisor: every small change of its source that could weaken it, each tried on the tests.

Each mutant is one change in one place: a comparison turned or moved by its boundary, a condition that is always
true or never, `and` for `or`, a sign, a number, a rule left out, a finding not returned. The tests are run on
each in a child of this process, into which the changed source is loaded instead of the file's. Run as a program,
it prints those that no test has caught and ends with 1 if there are any.
"""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.util
import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import foretree

HERE = Path(__file__).parent
PACKAGE = "foretree.robots.supervisor"
SOURCES = Path(foretree.__file__).parent / "robots" / "supervisor"
MODULES = ("rules", "rule_list", "supervisor", "readings", "frames", "watch", "state_message")
#: Seconds for the tests on one mutant: what does not end counts as caught.
PATIENCE = 60.0

#: Changes that change nothing, by module and the line's text, each with the reason.
EQUIVALENT = {
    ("supervisor", "self._present: tuple[SafetyViolation, ...] = ()"): "set by the first check",
    ("rules", "for name, speed in zip(reading.names, reading.speeds, strict=True):"): "checked on arrival",
    ("supervisor", "for name, speed in zip(reading.names, reading.speeds, strict=True):"): "likewise",
}

_TURNED: dict[type, tuple[type, ...]] = {
    ast.LtE: (ast.Lt, ast.Gt), ast.Lt: (ast.LtE, ast.GtE), ast.GtE: (ast.Gt, ast.Lt), ast.Gt: (ast.GtE, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
_SWAPPED: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
Change = Callable[[ast.AST], None]


def changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """Iterate over the changes that can be made to *node* in place."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            for other in _TURNED.get(type(operator), ()):
                yield f"{type(operator).__name__} to {other.__name__}", _set_operator(index, other)
    if isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"to {other.__name__}", lambda it: setattr(it, "op", other())
    if isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED:
        swapped = _SWAPPED[type(node.op)]
        yield f"to {swapped.__name__}", lambda it: setattr(it, "op", swapped())
    if isinstance(node, (ast.If, ast.IfExp)):
        for value in (True, False):
            yield f"if {value}", lambda it, value=value: setattr(it, "test", ast.Constant(value))
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        moved = not node.value if isinstance(node.value, bool) else node.value + 1
        yield f"{node.value} to {moved}", lambda it: setattr(it, "value", moved)
    if isinstance(node, ast.Return) and (
        isinstance(node.value, (ast.ListComp, ast.Name))
        or (isinstance(node.value, ast.Tuple) and node.value.elts)
    ):
        yield "return ()", lambda it: setattr(it, "value", ast.Tuple([], ast.Load()))
    if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom, ast.Call)):
        yield "left out", lambda it: setattr(it, "value", ast.Constant(None))
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        yield "left out", _leave_out


def _set_operator(index: int, other: type) -> Change:
    def change(node: ast.AST) -> None:
        node.ops[index] = other()

    return change


def _leave_out(node: ast.AST) -> None:
    node.targets = [ast.Name("_left_out", ast.Store())]
    node.value = ast.Constant(None)
    if isinstance(node, ast.AugAssign):
        node.target, node.op = ast.Name("__name__", ast.Store()), ast.Add()
        node.value = ast.Constant("")


def mutants(module: str) -> Iterator[tuple[str, str]]:
    """Iterate over the mutants of a module: what is changed, and the changed source."""
    text = (SOURCES / f"{module}.py").read_text()
    lines = text.splitlines()
    tree = ast.parse(text)
    for place, node in enumerate(ast.walk(tree)):
        if getattr(node, "lineno", None) is None or _only_words(node, tree):
            continue
        for what, change in changes(node):
            line = lines[node.lineno - 1].strip()
            if (module, line) in EQUIVALENT:
                continue
            mutated = copy.deepcopy(tree)
            change(next(each for index, each in enumerate(ast.walk(mutated)) if index == place))
            yield (
                f"{module}.py:{node.lineno}: {what}: {line}",
                ast.unparse(ast.fix_missing_locations(mutated)),
            )


def _only_words(node: ast.AST, tree: ast.AST) -> bool:
    """Return whether a node is a decorator, a default of a field, or part of a text for people."""
    for parent in ast.walk(tree):
        if isinstance(parent, ast.ClassDef) and any(node in ast.walk(each) for each in parent.decorator_list):
            return True
        if isinstance(parent, (ast.JoinedStr, ast.AnnAssign)) and node in ast.walk(parent):
            return isinstance(parent, ast.JoinedStr) or parent.value is node or parent.annotation is node
    return False


class Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from another source."""

    def __init__(self, module: str, source: str) -> None:
        self._name, self._source = f"{PACKAGE}.{module}", source

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == self._name else None

    def exec_module(self, module):
        exec(compile(self._source, self._name, "exec"), module.__dict__)


def passes(module: str, source: str) -> bool:
    """Return whether all tests pass with *module* made of *source*."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            sys.meta_path.insert(0, Mutated(module, source))
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                code = pytest.main(
                    [
                        "-x",
                        "-q",
                        "-n0",
                        "-p",
                        "no:cacheprovider",
                        "--ignore",
                        str(HERE / "test_mutants.py"),
                        str(HERE),
                    ]
                )
        finally:
            os._exit(0 if code == 0 else 1)
    return _ended_well(child)


def _ended_well(child: int) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.002)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


def survivors(*modules: str) -> Iterator[tuple[str, bool]]:
    """Iterate over all mutants: what is changed, and whether no test has caught it."""
    for module in modules:
        if not passes(module, (SOURCES / f"{module}.py").read_text()):
            raise SystemExit(f"The tests fail on {module}.py as it is.")
        for what, source in mutants(module):
            yield what, passes(module, source)


def main(*modules: str) -> int:
    loaded = [name for name in sys.modules if name.startswith(PACKAGE)]
    assert not loaded, f"{loaded} would not be replaced"
    tried = alive = 0
    for what, survived in survivors(*(modules or MODULES)):
        tried += 1
        alive += survived
        if survived:
            print(what, flush=True)
    print(f"{tried} mutants, {alive} not caught")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
