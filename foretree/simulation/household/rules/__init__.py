"""Rules of the embedded worlds: when each skill of a robot is possible, and what it does.

They are written down without looking at any planning domain: when the two disagree, the world is right and
the plan fails. Each rule has a name, which a refusal reports, and says what one would have had to see in
order to know that it was broken.
"""

from __future__ import annotations

from collections.abc import Mapping

from foretree.simulation.household.rules._building import BUILDING_ABILITIES
from foretree.simulation.household.rules._household import HOUSEHOLD_ABILITIES
from foretree.simulation.household.rules._together import JOINT_ABILITIES
from foretree.simulation.household.rules.ability import Ability, ResolvedOrder, Rule, resolve_order

#: The abilities of a robot in a scene, by the scene's domain.
ABILITIES: Mapping[str, Mapping[str, Ability]] = {
    "household": {**HOUSEHOLD_ABILITIES, **JOINT_ABILITIES},
    "tabletop": BUILDING_ABILITIES,
}

__all__ = [
    "ABILITIES",
    "BUILDING_ABILITIES",
    "HOUSEHOLD_ABILITIES",
    "Ability",
    "ResolvedOrder",
    "Rule",
    "resolve_order",
]
