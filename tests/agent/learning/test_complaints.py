from types import SimpleNamespace

import pytest

from foretree.agent.learning.complaints import UnfitError, without_complaints
from foretree.bringup.embedded import plan_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import show
from foretree.planning.task.goals import parse_goal


@pytest.fixture(scope="module")
def kitchen():
    session = plan_household("kitchen", Wish(goal="(clean plate1)"), Options())
    entities = session.context.belief.entities()
    classes = {name: entity.best_class for name, entity in entities.items()}
    return SimpleNamespace(domain=session.context.catalogue.domain, classes=classes)


@pytest.mark.parametrize(
    ("goal", "fit"),
    [
        (
            "(exists (?x - mug) (filled ?x))",
            "(exists (?x - mug) (and (filled ?x) (not (= ?x mug2))))",
        ),
        ("(at-least 1 (?x - mug) (clean ?x))", "(at-least 1 (?x - mug) (and (clean ?x) (not (= ?x mug2))))"),
        ("(or (clean mug1) (clean mug2))", "(clean mug1)"),
        # What is named, all of a kind, an exact number, and other kinds
        ("(clean mug2)", "(clean mug2)"),
        ("(forall (?x - mug) (clean ?x))", "(forall (?x - mug) (clean ?x))"),
        ("(exactly 1 (?x - mug) (clean ?x))", "(exactly 1 (?x - mug) (clean ?x))"),
        ("(exists (?x - plate) (clean ?x))", "(exists (?x - plate) (clean ?x))"),
        ("(or (on mug2 table1) (on mug2 table2))", "(or (on mug2 table1) (on mug2 table2))"),
    ],
)
def test_one_without_complaints_is_meant_where_any_would_do(kitchen, goal, fit):
    def read(text):
        return parse_goal(text, kitchen.domain, kitchen.classes).formula

    found = without_complaints(read(goal), {"mug2"}, kitchen.classes, kitchen.domain)
    assert show(found) == show(read(fit))


def test_a_choice_among_things_with_complaints_only_is_none(kitchen):
    goal = parse_goal("(or (clean mug1) (clean mug2))", kitchen.domain, kitchen.classes).formula
    with pytest.raises(UnfitError) as error:
        without_complaints(goal, {"mug1", "mug2"}, kitchen.classes, kitchen.domain)
    assert error.value.names == ("mug1", "mug2")
