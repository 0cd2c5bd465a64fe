"""Where the workspace, its examples and the program are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="session")
def program() -> str:
    """The program `klast` of this workspace; KLAST_PROGRAM names another one."""
    named = os.environ.get("KLAST_PROGRAM")
    built = [Path(named)] if named else [ROOT / "target" / profile / "klast" for profile in ("debug", "release")]
    for path in built:
        if path.is_file():
            return str(path)
    raise FileNotFoundError(
        f"{', '.join(map(str, built))}: not there; accepted: cargo build --bin klast, or KLAST_PROGRAM"
    )


@pytest.fixture
def examples() -> Path:
    return EXAMPLES
