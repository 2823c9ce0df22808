"""A small mapping."""

from __future__ import annotations

import pytest

from foretree.world_model.affordances.mapping import AffordanceMapping
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer

CLASSES = """
classes:
  mug:     {words: [coffee mug], like: [cup], affords: [grasp, carry, contain, liquid-contain, drink, {push: 0.6}]}
  cup:     {words: [teacup], like: [mug], affords: [grasp, carry, contain, liquid-contain, drink, pour]}
  knife:   {words: [kitchen knife], affords: [grasp, carry, cut, pierce]}
  spoon:   {affords: [grasp, carry, scoop, stir]}
  glove:   {words: [mitten, mitt], affords: [grasp, carry, wear]}
  shoe:    {affords: [grasp, carry, wear]}
  hammer:  {affords: [grasp, carry, hit, pound, swing]}
  table:   {affords: [support, sturdy-support, push]}
  dresser: {words: [chest of drawers], affords: [contain, open, close]}
  washing_machine: {words: [washer], affords: [contain, open, close, switch, wash]}
"""


@pytest.fixture
def classes_file(tmp_path):
    path = tmp_path / "classes.yaml"
    path.write_text(CLASSES)
    return path


@pytest.fixture
def mapping(classes_file) -> AffordanceMapping:
    return load_mapping(classes=classes_file)


@pytest.fixture
def placer(mapping) -> Placer:
    return Placer(mapping)
