"""The state of a supervisor as ``diagnostic_msgs/msg/DiagnosticStatus``, which tools of ROS show as it is."""

from __future__ import annotations

from typing import Any

from foretree.robots.supervisor.supervisor import SupervisorState

OK, ERROR = 0, 2
_HELD, _CAUSE, _PRESENT, _MOVES = "held", "cause", "present", "moves"


def fields_of(state: SupervisorState, name: str) -> dict[str, Any]:
    """Return the fields of the message of a state; its values as pairs of key and value."""
    values = [(_HELD, "true" if state.held else "false")]
    values += [(_CAUSE, cause) for cause in state.causes]
    values += [(_PRESENT, sentence) for sentence in state.present]
    values += [(_MOVES, state.moves)] if state.moves else []
    return {
        "level": ERROR if state.held else OK,
        "name": f"supervisor: {name}",
        "message": state.sentence,
        "values": values,
    }


def state_of(message: Any) -> SupervisorState:
    """Return the state that a message tells; without a word that the robot may move, it is held."""
    values = [(pair.key, pair.value) for pair in message.values]

    def said(key: str) -> tuple[str, ...]:
        return tuple(value for its, value in values if its == key)

    held = said(_HELD) != ("false",)
    return SupervisorState(held, said(_CAUSE), said(_PRESENT), " ".join(said(_MOVES)))
