"""Files that several runs may change at the same time."""

from __future__ import annotations

import threading

import pytest

from foretree import locking
from foretree.locking import locked

pytest.importorskip("fcntl")


def test_only_one_at_a_time(tmp_path):
    path = tmp_path / "places.yaml"
    order = []
    inside = threading.Event()

    def second():
        inside.wait()
        with locked(path):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with locked(path):
        inside.set()
        order.append("first")
        thread.join(0.1)
        order.append("first is through")
    thread.join(120)
    assert order == ["first", "first is through", "second"]


def test_who_never_lets_go_is_not_waited_for_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(locking, "PATIENCE", 0.05)
    path = tmp_path / "places.yaml"
    with locked(path), pytest.raises(OSError, match="held its lock") as late, locked(path):
        pytest.fail("it was held")
    assert late.value.strerror == "another process has held its lock for 0.05 s"
    with locked(path):
        pass
