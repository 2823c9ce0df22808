"""Search configurations of Fast Downward, by mode and by what the task has."""

from __future__ import annotations

from typing import Literal, TypeAlias

from foretree.planning.solvers.base import Mode

#: ``thrifty`` is no answer by itself: it looks for a cheaper plan than a good one that may not be the best.
Kind: TypeAlias = Mode | Literal["thrifty"]


def _lama(costs: str) -> tuple[str, ...]:
    """The first iteration of LAMA, as the alias ``lama-first`` says it; then as older builds do."""
    return (
        f"let(hlm,eval_modify_costs(landmark_sum(lm_factory=lm_reasonable_orders_hps(lm_rhw()),pref=false),"
        f"cost_type={costs}),let(hff,eval_modify_costs(ff(),cost_type={costs}),"
        f"lazy_greedy([hff,hlm],preferred=[hff,hlm],cost_type={costs},reopen_closed=false)))",
        f"let(hlm,landmark_sum(lm_factory=lm_reasonable_orders_hps(lm_rhw()),transform=adapt_costs({costs}),"
        f"pref=false),let(hff,ff(transform=adapt_costs({costs})),"
        f"lazy_greedy([hff,hlm],preferred=[hff,hlm],cost_type={costs},reopen_closed=false)))",
    )


_LAMA = _lama("one")


#: Where a goal leaves a choice, such as three of fifty mugs, each one that is passed over takes a step that
#: costs nothing. If that step counted as much as a walk, the first mugs would be fetched in place of the
#: nearest, or of those that are there already; if it counted nothing, searches would get lost among them.
_CHOOSING = _lama("plusone")


#: Weighs what a plan has cost so far against what is left: near the optimum, much sooner than a proof. A
#: smaller weight gives somewhat cheaper plans where many things are to be moved, but takes seconds there.
_GOOD = ("eager_wastar([ff()],w=5)",)


#: Costs of the cuts through relaxed plans: they take next to nothing to set up, and where a problem is small,
#: the best plan is found and proved with them in hardly more time than any plan.
_EXACT = "astar(lmcut())"


#: Two searches in one run, so that starting it and reading the problem is paid for once.
_ONE_THEN_THE_OTHER = "iterated([{},{}],pass_bound=false,repeat_last=false,continue_on_solve=true)"


#: The same for longer plans: it follows what relaxed plans do first, and knows landmarks as LAMA does. What
#: it finds costs more than a good plan where that comes soon, and less than the first that comes.
_FAIR = (
    "let(hlm,landmark_sum(lm_factory=lm_reasonable_orders_hps(lm_rhw()),pref=false),"
    "let(hff,ff(),eager_wastar([hff,hlm],preferred=[hff,hlm],boost=1000,w=4)))",
    "eager_wastar([ff()],preferred=[ff()],boost=1000,w=4)",
)


#: Weighs both alike, and follows what relaxed plans do first: where a task is small, it often finds a cheaper
#: plan than a good one, in about as many states.
_THRIFTY = (
    "let(hff,ff(),eager_wastar([hff],preferred=[hff],boost=1000,w=1))",
    "eager_wastar([ff()],preferred=[ff()],boost=1000,w=1)",
)


#: Costs of exact projections, refined until their plans hold in the whole problem or they grow too large:
#: unlike relaxed plans, they know that a robot that carries things one by one comes back for the next one.
#: Which variables they keep is a matter of luck, so the best of several is taken, some of them added up where
#: that is admissible. They are limited by size, not by time, so they are the same on every machine.
_PROJECTIONS = ",".join(
    [
        f"cpdbs(disjoint_cegar(max_pdb_size=1M,max_collection_size=10M,random_seed={seed}))"
        for seed in range(1, 4)
    ]
    + [f"pdb(cegar_pattern(max_pdb_size=1M,random_seed={seed}))" for seed in range(1, 7)]
)


_PLAIN = (f"astar(max([{_PROJECTIONS}]))", "astar(lmcut())")


#: Projections do not take conditional effects; abstractions that are merged and shrunk do.
_CONDITIONAL = (
    "astar(merge_and_shrink(max_states=10000,threshold_before_merge=1,"
    "shrink_strategy=shrink_bisimulation(greedy=false),"
    "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
    "scoring_functions=[goal_relevance(),dfp(),total_order()])),"
    "label_reduction=exact(before_shrinking=true,before_merging=false)))",
    "astar(hmax())",
)


#: What is left where something is derived.
_BLIND = "astar(blind())"


#: Fast Downward does not count expansions against a limit, and on a plateau says for minutes nothing of how
#: many there were. But an eager search can be told to prune nothing, and to say after so many expansions how
#: little that was.
_COUNTING = (
    "pruning=limited_pruning(null(),min_required_pruning_ratio=1,expansions_before_checking_pruning_ratio={})"
)


def configurations(
    mode: Kind,
    conditional_effects: bool,
    expansions: int | None = None,
    exactly: int = 0,
    axioms: bool = False,
    chooses: bool = False,
) -> tuple[str, ...]:
    """The search to run; what follows the first says the same to older builds, or leaves out the proof.

    Args:
        conditional_effects: whether the task has any.
        expansions: how many states may be expanded. All but those for the first and for the best plan count
            them.
        exactly: how many states may be expanded to prove that a good plan is the best, or to find that.
        axioms: whether the task has any: then no estimate is known to be exact enough for the best plan.
        chooses: whether its goal leaves a choice that operators of cost zero make.
    """
    if mode == "satisficing":
        return _CHOOSING if chooses else _LAMA
    if mode == "optimal" and axioms:
        return (_BLIND,)
    if mode == "optimal":
        return _CONDITIONAL if conditional_effects else _PLAIN
    found = _GOOD if mode == "good" else _FAIR if mode == "fair" else _THRIFTY
    if expansions is not None:
        found = (*(_counting(one, expansions + 1) for one in found), *found)
    if mode == "good" and exactly and not conditional_effects and not axioms:
        found = (_ONE_THEN_THE_OTHER.format(found[0], _counting(_EXACT, exactly + 1)), *found)
    return found


def _counting(configuration: str, expansions: int) -> str:
    """An eager search that reports when it has expanded so many states, and is the same otherwise."""
    inner = len(configuration) - 1 - configuration.count("let(")
    return f"{configuration[:inner]},{_COUNTING.format(expansions)}{configuration[inner:]}"
