"""The executor that asks a person: the robot is ordered to speak, and to tell when it is done."""

from __future__ import annotations

from foretree.planning.plan import Action
from foretree.skills.executors.base import arguments_of, targets_of
from foretree.skills.robot import Execution, Order, Robot
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot


class AskExecutor:
    """Gives the order ``ask``, with the ``action`` that the person is to do and the sentence to ``say``.

    The execution is *done* when the person says so, or the robot sees it, and *failed* when the person says
    no. Where no answer comes, the skill's time-out ends it.
    """

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        """Have the robot ask."""
        named = {parameter.name[1:]: name for parameter, name in arguments_of(action, skill)}
        words = str(skill.parameters["words"])
        for parameter, name in named.items():
            entity = beliefs.entity(name)
            shown = entity.best_class.replace("_", " ") if entity is not None and entity.classes else name
            words = words.replace(f"{{{parameter}}}", f"the {shown}")
        said = {"action": skill.parameters["action"], "say": f"Please {words}."}
        order = Order(skill.order, targets_of(action, skill, beliefs, robot), None, said)
        return robot.start(order, execution_id)
