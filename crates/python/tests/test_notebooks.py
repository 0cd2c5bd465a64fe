"""Every notebook runs from top to bottom in a fresh kernel, and has stored what it then shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

# Where an object lies in memory is another place in every run.
PLACE = re.compile(r"0x[0-9a-f]+")
NOTEBOOKS = ROOT / "crates" / "python" / "notebooks"


@pytest.mark.parametrize("name", sorted(p.stem for p in NOTEBOOKS.glob("*.ipynb")))
def test_a_notebook_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    book = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    client = NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    stored = said(book)
    client.execute()
    assert said(book) == stored
    shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in shown), "no figure"


def said(book: Any) -> list[str]:
    """What the cells print and what their last lines are; pictures differ with the fonts of a machine."""
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"], "a warning is stored"
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
    assert texts
    return [PLACE.sub("", text) for text in texts]
