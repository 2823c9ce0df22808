"""A body in a process of its own is the same body, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from home_makers import furnished
from waiting import until

from foretree.perception.frame import Frame
from foretree.simulation.grid_homes.body.remote_body import RemoteBody, RemoteBodyError
from foretree.skills.embodied.body import MANIPULATIONS, MOTIONS, Control


@pytest.fixture(autouse=True)
def _makers_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(__file__).parents[1]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (here, here.parents[2]))))


def random_controls(seed: int) -> Callable[[Frame | None], Control]:
    """Controls that often make sense: what is at hand is picked up; then half walk, half handle what was seen."""
    rng = Random(seed)

    def choose(frame: Frame | None) -> Control:
        if frame is not None and frame.step < 5:
            return Control("pick_up", frame.step)
        if frame is None or not frame.masks or rng.random() < 0.5:
            return Control(rng.choice(MOTIONS))
        mask = rng.choice(frame.masks).label if rng.random() < 0.95 else 99
        return Control(rng.choice(MANIPULATIONS), mask)

    return choose


def all_of(frame: Frame) -> list[object]:
    """Everything in a frame, in a form that can be compared bit for bit."""
    masks = (*frame.masks, *([] if frame.held is None else [frame.held]))
    return [
        (frame.labels.dtype, frame.labels.shape, frame.labels.tobytes()),
        (frame.depth.dtype, frame.depth.shape, frame.depth.tobytes()),
        [(mask.label, list(mask.scores.items()), mask.crop.tobytes(), mask.visible) for mask in masks],
        (len(frame.masks), frame.stance, frame.ok, frame.message, frame.step),
    ]


def test_the_same_frames_come_bit_for_bit():
    choose, here, frame = random_controls(4), furnished(4), None
    held = refused = 0
    with RemoteBody("home_makers:furnished", {"seed": 4}) as there:
        assert (there.lens, there.reach) == (here.lens, here.reach)
        for _ in range(200):
            control = choose(frame)
            frame = here.step(control)
            again = there.step(control)
            assert all_of(again) == all_of(frame)
            again.depth[0, 0] = 1  # it is the agent's own
            held += frame.held is not None
            refused += not frame.ok
    assert held > 3
    assert refused > 10


def test_what_goes_wrong_over_there_is_said_here():
    with pytest.raises(RemoteBodyError, match=r"^There is no such home\.$"):
        RemoteBody("home_makers:impossible", {})
    with pytest.raises(RemoteBodyError, match=r"has ended \(status 1\): ValueError: a slip"):
        RemoteBody("home_makers:broken", {})
    with (
        RemoteBody("home_makers:Stubborn", {"how": "refuse"}) as body,
        pytest.raises(RemoteBodyError, match=r"^It will not\.$"),
    ):
        body.step(Control("wait"))


def test_a_body_that_is_gone_or_silent_is_given_up():
    body = RemoteBody("home_makers:Stubborn", {"how": "exit"})
    with pytest.raises(RemoteBodyError, match=r"has ended \(status 3\): gone for good"):
        body.step(Control("wait"))
    with pytest.raises(RemoteBodyError, match=r"has been closed"):
        body.step(Control("wait"))
    body = RemoteBody("home_makers:Stubborn", {"how": "sleep"})
    body._patience = 0.2
    with pytest.raises(RemoteBodyError, match=r"has not answered for 0\.2 seconds"):
        body.step(Control("wait"))
    assert body._child.exit_code() is not None


def test_closing_ends_the_process_and_may_be_done_twice():
    body = RemoteBody("home_makers:furnished", {"seed": 1})
    assert body._child.exit_code() is None
    body.close()
    body.close()
    assert body._child.exit_code() == 0


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_the_process_goes_with_the_one_that_made_it(end: signal.Signals):
    agent = textwrap.dedent(
        """
        from foretree.simulation.grid_homes.body.remote_body import RemoteBody
        from foretree.skills.embodied.body import Control
        body = RemoteBody("home_makers:furnished", {"seed": 1})
        print(body._child.pid, flush=True)
        while True:
            body.step(Control("wait"))
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", agent], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.send_signal(end)
        process.wait(120)
    until(lambda: not is_running(pid), "the body outlives the agent")


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")  # one whose parent has not asked after it is over, too
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_frames_have_what_the_protocol_says():
    frame = furnished(1).step(Control("wait"))
    assert frame.labels.shape == frame.depth.shape == (72, 96)
    assert np.isfinite(frame.depth).any()
    assert frame.step == 1


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = Path(__file__).parents[4] / "docs" / "home_body.md"
    monkeypatch.chdir(tmp_path)
    section = page.read_text(encoding="utf-8").partition("\n## The occupancy grid")[0]
    examples = re.findall(r"```python\n(.*?)```", section, re.S)
    names: dict[str, object] = {}
    for example in examples:
        if "grid_homes" in example:
            exec(example, names)
    assert (tmp_path / "frame.png").stat().st_size > 1000
    assert isinstance(names["body"], RemoteBody)
