"""Programs within a limit of processor time."""

from __future__ import annotations

import os
import sys

import pytest
from waiting import until

from foretree.regression.pddl._programs import run_program

BURN = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"


def test_what_children_take_counts(tmp_path):
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN.format(0.4)!r}])"
    nothing = run_program([sys.executable, "-c", "pass"], 60, tmp_path)
    ran = run_program([sys.executable, "-c", child + "; print('done'); sys.exit(3)"], 60, tmp_path)
    assert (ran.code, ran.out.strip()) == (3, "done")
    assert ran.processor >= nothing.processor + 0.4


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="only there are the children of another seen")
def test_who_takes_too_much_is_ended_with_all_that_it_started(tmp_path):
    child = BURN.format(600)
    code = (
        "import subprocess, sys\n"
        f"p = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
        "print(p.pid, flush=True)\np.wait()\n"
    )
    ran = run_program([sys.executable, "-c", code], 0.5, tmp_path)
    assert ran.code is None
    assert ran.processor >= 0.5
    until(lambda: not os.path.exists(f"/proc/{ran.out.strip()}"), "what it started ends")
