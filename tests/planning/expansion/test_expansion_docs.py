"""The examples of docs/expansion.md are true."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from foretree.planning.expansion.expand import expand
from foretree.planning.expansion.hand_predicates import find_hand_predicates
from foretree.planning.expansion.options import Expansion, read_expansion
from foretree.planning.pddl.parser import parse_domain, parse_operator
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.fast_downward.solver import FastDownward

PAGE = (Path(__file__).parents[3] / "docs" / "expansion.md").read_text(encoding="utf-8")
OPTIONS = Expansion(navigation=True, doors=True, hands=2, costs=True)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def test_before_and_after():
    base, pick, added = blocks("pddl")
    domain = expand(parse_domain(base), OPTIONS)
    assert parse_operator(pick, domain) == domain.operators["pick"]
    move, *doors = re.split(r"\n(?=\(:action)", added.strip())
    assert parse_operator(move, domain) == domain.operators["move_robot"]
    for name, text in zip(("open_door", "close_door"), doors, strict=True):
        assert parse_operator(text, domain) == domain.operators[name]


def test_every_option_is_explained():
    rows = re.findall(r"^\| `(.*) \|", PAGE.split("## Options")[1].split("##")[0], re.M)
    named = set(re.findall(r"\b\w+\b", " ".join(row.split(" | ")[0] for row in rows) + " door_open"))
    assert {*Expansion.model_fields} <= named


def test_the_file_of_anchors(tmp_path):
    [text] = blocks("yaml")
    path = tmp_path / "anchors.yaml"
    path.write_text(text, encoding="utf-8")
    options = read_expansion(yaml.safe_load(text), path)
    crew = (Path(__file__).parent / "base_domains" / "crew" / "domain.pddl").read_text(encoding="utf-8")
    assert find_hand_predicates(parse_domain(crew), options).hand_free.robot == 0


def test_in_a_program(tmp_path, monkeypatch):
    [program] = blocks("python")
    (tmp_path / "cups.pddl").write_text(blocks("pddl")[0], encoding="utf-8")
    (tmp_path / "task.pddl").write_text(
        "(define (problem bring) (:domain cups) (:objects cup1 - cup table1 table2 - table)"
        " (:init (hand_empty) (on cup1 table1)) (:goal (on cup1 table2)))",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(program, "docs/expansion.md", "exec"), names)
    problem = names["problem"]
    planner = FastDownward()
    try:
        found = planner.solve(problem, "optimal")
    finally:
        planner.close()
    assert validate(problem, found.steps).ok
    assert found.cost == 1 + 1 + 35 + 1
    assert sorted(name for name, _ in found.steps) == ["move_robot", "open_door", "pick", "place"]
