"""The mapping of the configuration files, through the cache on disk."""

from __future__ import annotations

from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.shipped import shipped_mapping


def test_what_is_kept_is_what_the_files_say():
    assert shipped_mapping() == shipped_mapping() == load_mapping()


def test_what_is_learnt_stays_with_the_mapping_that_learnt_it():
    shipped_mapping().tell("mug", "push", True)
    assert not shipped_mapping().evidence


def test_a_file_in_a_tree_of_ones_own_is_read(tmp_path, monkeypatch):
    shipped_mapping()
    folder = tmp_path / "affordances"
    folder.mkdir()
    (folder / "classes.yaml").write_text("classes: {mug: {affords: [grasp]}}")
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    assert list(shipped_mapping().classes) == ["mug"]
