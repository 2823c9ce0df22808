"""Every mutant of the rules, and of what makes and judges them, is caught by a test."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MUTANTS = Path(__file__).parent / "mutants.py"


@pytest.mark.slow
@pytest.mark.parametrize("module", ["rules", "rule_list", "supervisor"])
def test_no_mutant_survives(module):
    ran = subprocess.run(
        [sys.executable, str(MUTANTS), module], capture_output=True, text=True, env=os.environ
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
