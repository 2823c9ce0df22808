"""Sentences about limits that ended the work on a problem."""

from __future__ import annotations

from foretree.planning.solvers.base import SAFETY_SECONDS, Limits
from foretree.planning.solvers.fast_downward import _task_preparation
from foretree.planning.solvers.fast_downward._translator import TRANSLATOR_SECONDS

#: Advice where a stage took too long.
_ADVICE = {
    "searching": "Ask for the first plan (plans: first), or allow more",
    "reducing": "Ask for a good plan instead of the best one (plans: good), or allow more",
}
_LESS = "Leave out of the problem what the goal does not need, or allow more"


def explain_limit(limits: Limits, which: str, stage: str) -> str:
    """Explain which limit ended the work in a stage, and what can be done."""
    advice = _ADVICE.get(stage, _LESS)
    short_advice = advice.partition(",")[0]
    match which:
        case "expansions":
            return f"The search expanded more than the {limits.expansions} states it is allowed."
        case "processor" if stage == "searching":
            return f"The search took longer than for the {limits.expansions} states it is allowed to expand."
        case "processor":
            return (
                f"Planning stopped while {stage}, after {TRANSLATOR_SECONDS} s of the processor, which is "
                f"only a safety net: another run may come to another end. {short_advice}."
            )
        case "actions":
            return f"There are more than the {limits.actions} actions that may be looked at."
        case "work":
            most, less = _task_preparation.MOST_WORK, _LESS.partition(",")[0]
            return f"Planning stopped while {stage}, after {most} steps of it. {less}."
        case "bound":
            return f"There is no plan that is cheaper than {limits.enough}."
        case "memory":
            return f"Planning ran out of memory while {stage}."
        case "incomplete":
            return (
                "Every state that looked promising was tried in vain. That is no proof where predicates are "
                "derived: only an optimal plan (plans: optimal) is searched for everywhere."
            )
        case "killed":
            return "The search was killed, as the system does when memory runs out."
    if limits.seconds is None:
        return (
            f"Out of time: planning stopped while {stage}, after {SAFETY_SECONDS:g} s, which is only a "
            f"safety net: another run may come to another end. {advice} states (expansions), which are "
            "counted and not timed."
        )
    return f"Out of time: planning stopped while {stage}, after {limits.seconds:g} s. {advice} time."
