from foretree.planning.makespan import makespan
from foretree.planning.plan import Action


def plan(*costs):
    return [Action(f"a{number}", "do", (), cost) for number, cost in enumerate(costs, 1)]


def test_what_is_ordered_takes_the_sum():
    assert makespan(plan(2, 3), {"a2": frozenset({"a1"})}, lambda action: ()) == 5


def test_what_is_unordered_takes_as_long_as_the_longest():
    assert makespan(plan(2, 3), {}, lambda action: {action.id}) == 3


def test_what_shares_a_part_of_a_robot_takes_turns():
    assert makespan(plan(2, 3), {}, lambda action: {"base"}) == 5


def test_the_dearest_chain_counts():
    order = {"a3": frozenset({"a1"}), "a4": frozenset({"a2", "a3"})}
    assert makespan(plan(2, 9, 3, 1), order, lambda action: {action.id}) == 10


def test_no_actions_take_no_time():
    assert makespan([], {}, lambda action: ()) == 0
