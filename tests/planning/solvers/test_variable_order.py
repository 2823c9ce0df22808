"""The order of variables and operators: nothing but the order changes, and what depends on others comes after."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasEffect, SasOperator
from foretree.planning.solvers.finite_domain.variable_order import arranged


def task(values, operators, goal=None):
    names = tuple(tuple(f"v{number}={value}" for value in range(size)) for number, size in enumerate(values))
    return FiniteDomainTask(
        names, tuple(None for _ in values), (), tuple(0 for _ in values), goal or {}, tuple(operators)
    )


def operator(number, before, after, tests=()):
    return SasOperator(number, before, tuple(SasEffect(v, x, tests) for v, x in after.items()), 1)


def named(operator):
    return (f"m{9 - operator.number}",)


def order_of(found):
    return [names[0].partition("=")[0] for names in found.values]


def test_what_depends_on_others_comes_after_them():
    chain = task([2, 2, 2], [operator(0, {2: 0}, {0: 1}), operator(1, {0: 0}, {1: 1})])
    assert order_of(arranged(chain, named)) == ["v2", "v0", "v1"]


def test_a_test_of_an_effect_counts_as_well():
    only = task([2, 2], [operator(0, {}, {0: 1}, tests=((1, 0),))])
    assert order_of(arranged(only, named)) == ["v1", "v0"]


def test_a_circle_is_cut_where_the_fewest_moves_object_and_the_goal_comes_last():
    often = [operator(n, {0: 0}, {1: 1}) for n in range(3)]
    circle = task([2, 2], [*often, operator(3, {1: 0}, {0: 1})])
    assert order_of(arranged(circle, named)) == ["v0", "v1"]
    assert order_of(arranged(task([2, 2], circle.operators, {0: 1}), named)) == ["v1", "v0"]


def test_moves_are_in_the_order_of_their_names_and_keep_their_numbers():
    found = arranged(task([2], [operator(0, {}, {0: 1}), operator(1, {0: 1}, {0: 0})]), named)
    assert [one.number for one in found.operators] == [1, 0]


@given(st.data())
def test_it_is_the_same_task(data):
    sizes = data.draw(st.lists(st.integers(2, 3), min_size=1, max_size=6))
    variable = st.integers(0, len(sizes) - 1)
    partial = st.lists(st.tuples(variable, st.integers(0, 1)), max_size=3).map(dict)
    pairs = data.draw(st.lists(st.tuples(partial, partial.filter(bool), partial), max_size=8))
    operators = [
        operator(n, before, after, tuple(tests.items())) for n, (before, after, tests) in enumerate(pairs)
    ]
    given_ = task(sizes, operators, data.draw(partial))
    assert spoken(arranged(given_, named)) == spoken(given_)


def spoken(task):
    def say(values):
        return sorted(task.values[variable][value] for variable, value in values)

    return (
        sorted(task.values),
        say(enumerate(task.init)),
        say(task.goal.items()),
        sorted(
            (
                one.number,
                say(one.before.items()),
                sorted((task.values[c.variable][c.value], say(c.tests)) for c in one.changes),
            )
            for one in task.operators
        ),
    )
