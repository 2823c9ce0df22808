"""Memory of a tracker from one observation to the next, beside the belief."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity, Pose, Region
from foretree.world_model.maps.places import Passage, PlaceGraph
from foretree.world_model.observation import Size
from foretree.world_model.ontology import Ontology
from foretree.world_model.tracking._viewpoint_evidence import ViewpointEvidence


@dataclass(eq=False, repr=False)
class TrackerState:
    """A belief with what tracking needs to know of it.

    Attributes:
        belief: the belief that observations change.
        ontology: the classes of objects.
        places: the map whose doors connect and separate; None when there is none.
        discovered: the types of furniture that the map does not list, so that what is seen of it becomes an
            entity.
        furniture_revision: grows whenever furniture is discovered, grows, or is merged with other furniture.
        covered_at: when each region was last seen completely.
        blocked: the passages that were blocked when they were last seen.
        viewpoints: the evidence by viewpoint.
        created_at: when perception created each entity.
        sizes: how large each movable object has looked; the least, since what is far away looks larger.
        last_poses: where objects were seen last whose place is unknown now.
        distinct_furniture: pairs of names, in order, of furniture that was seen side by side.
    """

    belief: Belief
    ontology: Ontology
    places: PlaceGraph | None = None
    discovered: Collection[str] = ()
    furniture_revision: int = field(default=0, init=False)
    covered_at: dict[Region, float] = field(default_factory=dict, init=False)
    blocked: set[Passage] = field(default_factory=set, init=False)
    viewpoints: ViewpointEvidence = field(default_factory=ViewpointEvidence, init=False)
    created_at: dict[str, float] = field(default_factory=dict, init=False)
    sizes: dict[str, Size] = field(default_factory=dict, init=False)
    last_poses: dict[str, Pose] = field(default_factory=dict, init=False)
    distinct_furniture: set[tuple[str, str]] = field(default_factory=set, init=False)
    _names: set[str] = field(default_factory=set, init=False)

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
