"""Ways of executing a skill, one class each.

A skill file names one as ``executor``: ``act``, ``look`` or ``instant``, or, as ``package.module:name``, a
class of the user's own or a function that returns a py_trees behaviour.
"""

from __future__ import annotations

import importlib

from foretree.errors import suggest
from foretree.skills.executors._builtin import InstantExecutor, LookExecutor, OrderExecutor
from foretree.skills.executors.base import Executor, ExecutorError, TargetError

__all__ = [
    "EXECUTORS",
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


def find_executor(name: str) -> Executor:
    """Return the executor of that name, ready for use.

    Raises:
        ExecutorError: it does not exist; the message says what does.
    """
    if name in EXECUTORS:
        return EXECUTORS[name]()
    check_executor_name(name)
    module_name, _, class_name = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise ExecutorError(
            f"The executor {name!r} cannot be imported: {error}. Python looks for it where PYTHONPATH says."
        ) from error
    made = getattr(module, class_name, None)
    if made is None:
        classes = [known for known, value in vars(module).items() if isinstance(value, type)]
        raise ExecutorError(f"{module_name} has no class {class_name!r}. {suggest(class_name, classes)}")
    if isinstance(made, type) and callable(getattr(made, "begin", None)):
        executor: Executor = made()
        return executor
    if callable(made):
        from foretree.skills.executors.behaviour import BehaviourExecutor, may_return_behaviours

        if may_return_behaviours(made):
            return BehaviourExecutor(made)
    raise ExecutorError(
        f"{name!r} is not an executor: it has to be a class with a method "
        "begin(action, skill, beliefs, robot, execution_id) that returns an execution, or be called with an "
        "action and a namespace and return a py_trees behaviour."
    )
