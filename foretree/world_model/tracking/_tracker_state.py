"""Memory of a tracker from one observation to the next, beside the belief."""

from __future__ import annotations

from collections.abc import Collection

from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entities import Entity, Pose
from foretree.world_model.beliefs.facts import Region
from foretree.world_model.maps.places import Passage, PlaceGraph
from foretree.world_model.observation import Size
from foretree.world_model.ontology import Ontology
from foretree.world_model.tracking._viewpoint_evidence import ViewpointEvidence


class TrackerState:
    """A belief with what tracking needs to know of it.

    Args:
        belief: the belief that observations change.
        ontology: the classes of objects.
        places: the map whose doors connect and separate; None when there is none.
        discovered: the types of furniture that the map does not list, so that what is seen of it becomes an
            entity.

    Attributes:
        furniture_revision: grows whenever furniture is discovered, grows, or is merged with other furniture.
        covered_at: when each region was last seen completely.
        blocked: the passages that were blocked when they were last seen.
        viewpoints: the evidence by viewpoint.
        created_at: when perception created each entity.
        sizes: how large each movable object has looked; the least, since what is far away looks larger.
        last_poses: where objects were seen last whose place is unknown now.
        distinct_furniture: pairs of names, in order, of furniture that was seen side by side.
    """

    def __init__(
        self,
        belief: Belief,
        ontology: Ontology,
        places: PlaceGraph | None = None,
        discovered: Collection[str] = (),
    ) -> None:
        self.belief = belief
        self.ontology = ontology
        self.places = places
        self.discovered = frozenset(discovered)
        self.furniture_revision = 0
        self.covered_at: dict[Region, float] = {}
        self.blocked: set[Passage] = set()
        self.viewpoints = ViewpointEvidence()
        self.created_at: dict[str, float] = {}
        self.sizes: dict[str, Size] = {}
        self.last_poses: dict[str, Pose] = {}
        self.distinct_furniture: set[tuple[str, str]] = set()
        self._names: set[str] = set()

    def pieces(self) -> list[Entity]:
        """The furniture that was discovered so far, by name."""
        type_of = self.ontology.type_of
        pieces = (e for e in self.belief.entities().values() if e.fixed and e.extent is not None)
        return sorted(
            (e for e in pieces if type_of(e.best_class) in self.discovered), key=lambda piece: piece.name
        )

    def new_name(self, class_name: str) -> str:
        """A name that no entity has or ever had."""
        number = 1
        while (name := f"{class_name}{number}") in self._names or self.belief.entity(name) is not None:
            number += 1
        self._names.add(name)
        return name
