"""Ways of executing a skill, one class each.

A skill file names one as ``executor``: ``act``, ``look``, ``instant`` or ``ask``, or, as
``package.module:name``, a class of the user's own or a function that returns a py_trees behaviour.
"""

from __future__ import annotations

import importlib
from inspect import isfunction

from foretree.errors import suggest
from foretree.skills.executors.ask import AskExecutor
from foretree.skills.executors.base import (
    Executor,
    ExecutorError,
    InstantExecutor,
    LookExecutor,
    OrderExecutor,
    TargetError,
)

__all__ = [
    "EXECUTORS",
    "AskExecutor",
    "Executor",
    "ExecutorError",
    "InstantExecutor",
    "LookExecutor",
    "OrderExecutor",
    "TargetError",
    "check_executor_name",
    "find_executor",
]

#: The executors that a skill can name by a word.
EXECUTORS: dict[str, type[Executor]] = {
    "act": OrderExecutor,
    "look": LookExecutor,
    "instant": InstantExecutor,
    "ask": AskExecutor,
}


def check_executor_name(name: str) -> None:
    """Refuse a name that cannot be an executor's, without importing it.

    Raises:
        ExecutorError: it is neither one of ours nor of the form ``package.module:name``.
    """
    module, colon, class_name = name.partition(":")
    dotted = colon and class_name.isidentifier() and all(part.isidentifier() for part in module.split("."))
    if name not in EXECUTORS and not dotted:
        raise ExecutorError(
            f"There is no executor called {name!r}. {suggest(name, EXECUTORS)} "
            "A class or a function of your own is named package.module:name."
        )


def find_executor(name: str, skill: str = "") -> Executor:
    """Return the executor of that name, ready for use.

    Args:
        name: the executor's name.
        skill: the skill that names it, for messages.

    Raises:
        ExecutorError: it does not exist; the message says what does.
    """
    if name in EXECUTORS:
        return EXECUTORS[name]()
    check_executor_name(name)
    of_skill = f"skill {skill}: " if skill else ""
    module_name, _, class_name = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise ExecutorError(
            f"{of_skill}The executor {name!r} cannot be imported: {error}. Python looks for it where "
            "PYTHONPATH says; for the current folder: PYTHONPATH=."
        ) from error
    made = getattr(module, class_name, None)
    if made is None:
        own = [
            known
            for known, value in vars(module).items()
            if (isinstance(value, type) or isfunction(value)) and value.__module__ == module.__name__
        ]
        raise ExecutorError(
            f"{of_skill}{module_name} has no class or function {class_name!r}. {suggest(class_name, own)}"
        )
    if isinstance(made, type) and callable(getattr(made, "begin", None)):
        executor: Executor = made()
        return executor
    if callable(made):
        from foretree.skills.executors.behaviour import BehaviourExecutor, may_return_behaviours

        if may_return_behaviours(made, module_name):
            return BehaviourExecutor(made)
    raise ExecutorError(
        f"{of_skill}{name!r} is not an executor: it has to be a class with a method "
        "begin(action, skill, beliefs, robot, execution_id) that returns an execution, or a function of that "
        "package that is called with (action, namespace) and returns a py_trees behaviour."
    )
