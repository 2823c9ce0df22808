"""Evidence that outlasts a run."""

from __future__ import annotations

import pytest

from foretree.world_model.affordances.evidence_file import (
    Evidence,
    EvidenceError,
    add_evidence,
    read_evidence,
)
from foretree.world_model.affordances.mapping import Outcomes


def test_evidence_adds_up(tmp_path):
    path = tmp_path / "home" / "affordances.json"
    assert read_evidence(path) == Evidence()
    add_evidence(path, Evidence({("mug", "push"): Outcomes(1, 2), ("mug", "drink"): Outcomes(held=0.5)}))
    add_evidence(path, Evidence({("mug", "push"): Outcomes(failed=3)}))
    assert read_evidence(path).classes == {
        ("mug", "push"): Outcomes(1, 5),
        ("mug", "drink"): Outcomes(0.5, 0),
    }


@pytest.mark.parametrize("text", ["", "[]", '{"evidence": {"mug": {"push": {"held": -1, "failed": 0}}}}'])
def test_a_spoilt_file_is_said_to_be_one(tmp_path, text):
    path = tmp_path / "affordances.json"
    path.write_text(text)
    with pytest.raises(EvidenceError, match="Repair it, or move it away"):
        read_evidence(path)


def test_a_file_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EvidenceError, match="Cannot"):
        add_evidence(tmp_path / "file" / "affordances.json", Evidence({("mug", "push"): Outcomes(1, 0)}))
