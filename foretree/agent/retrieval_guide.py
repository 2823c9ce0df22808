"""Retrieval of what an instruction needs of a building, so that planning need not look at all of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.reasoning.retrieval.node_index import index_building
from foretree.reasoning.retrieval.retriever import Retrieved, Retriever
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.maps.building_map import BuildingMap
from foretree.world_model.ontology import Ontology


@dataclass(frozen=True)
class RetrievalGuide:
    """Knows a building, and finds what an instruction needs of it.

    Attributes:
        building: its map, with captions.
        ontology: what things are called, and what they afford.
        retriever: reads instructions; it is asked on the tick thread, so it has to answer at once.
    """

    building: BuildingMap
    ontology: Ontology
    retriever: Retriever = field(default_factory=KeywordRetriever)

    def find(self, instruction: str, beliefs: Snapshot, here: str | None) -> Retrieved:
        """Return what *instruction* needs, from what is believed; *here* is where the robot stands."""
        places = self.building.places
        costs = places.distances(here) if here is not None and here in places else None
        index = index_building(self.building, beliefs, self.ontology, costs)
        return self.retriever.retrieve(instruction, index)
