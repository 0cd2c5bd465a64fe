"""Examples run, and the package passes mypy with them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

PACKAGE = ROOT / "crates" / "python"
BOOK = ROOT / "docs" / "src" / "python"


@pytest.mark.parametrize("name", sorted(p.name for p in (PACKAGE / "examples").glob("*.py")))
def test_an_example_runs(name: str) -> None:
    done = subprocess.run([sys.executable, PACKAGE / "examples" / name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def pages() -> list[Path]:
    return [PACKAGE / "README.md", *sorted(BOOK.glob("*.md")), BOOK.parent / "tutorials" / "python.md"]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for name in ("rockfall.json", "rockfall-terrain.asc", "rockfall-release.geojson", "bodies.json"):
        os.symlink(ROOT / "examples" / name, tmp_path / name)
    scope: dict[str, object] = {"__name__": "__page__"}
    for block in blocks:
        exec(compile(block, str(page), "exec"), scope)


def test_the_package_and_the_examples_pass_mypy_strictly() -> None:
    for target in ("python/klast", "examples"):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, target]
        done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_of_the_book_is_that_of_the_docstrings() -> None:
    done = subprocess.run([sys.executable, PACKAGE / "reference.py"], capture_output=True, text=True, check=True)
    page = BOOK / "reference.md"
    assert page.read_text(encoding="utf-8") == done.stdout, f"python {PACKAGE / 'reference.py'} > {page}"


def test_the_types_of_keys_are_those_of_the_schemas() -> None:
    done = subprocess.run([sys.executable, PACKAGE / "keys.py"], capture_output=True, text=True, check=True)
    types = PACKAGE / "python" / "klast" / "_keys.py"
    assert types.read_text(encoding="utf-8") == done.stdout, f"python {PACKAGE / 'keys.py'} > {types}"
