from __future__ import annotations

from pathlib import Path

import pytest
from alfred_folder import write_alfred


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    return write_alfred(tmp_path_factory.mktemp("alfred"))
