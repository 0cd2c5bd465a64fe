"""The first half hours of the README go through from the README alone: every command and every program that it prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT


def half_hours() -> dict[str, list[tuple[str, str]]]:
    """The blocks (language, text) of each section, by its heading."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    part = readme.split("\n## Five first half hours\n")[1].split("\n## ")[0]
    sections = [section.split("\n", 1) for section in part.split("\n### ")[1:]]
    return {heading: re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) for heading, text in sections}


SECTIONS = half_hours()


def test_there_are_five() -> None:
    assert len(SECTIONS) == 5
    assert all(SECTIONS.values())


@pytest.mark.parametrize("heading", SECTIONS)
def test_a_half_hour_goes_through(heading: str, tmp_path: Path) -> None:
    os.symlink(ROOT / "examples", tmp_path / "examples")
    os.symlink(ROOT, tmp_path / "klast")
    blocks = SECTIONS[heading]
    ran = [run(language, text, tmp_path) for language, text in blocks if language in ("sh", "python")]
    if any(language == "rust" for language, _ in blocks):
        ran.append(rust(dict(blocks), tmp_path))
    assert ran
    assert all(printed.strip() for printed in ran)
    for place in re.findall(r"--out (out/\S+)", "".join(text for language, text in blocks if language == "sh")):
        assert (tmp_path / place / "index.html").is_file()


def run(language: str, text: str, folder: Path) -> str:
    """What a shell or this Python prints; the program of the same environment comes first in the path."""
    start = ["bash", "-euc"] if language == "sh" else [sys.executable, "-c"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return done(subprocess.run([*start, text], cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path}))


def rust(blocks: dict[str, str], folder: Path) -> str:
    """What the program prints; what it is built of besides are the versions of the workspace, compiled once."""
    project = folder / "rock"
    (project / "src").mkdir(parents=True)
    head = '[package]\nname = "rock"\nedition = "2024"\n\n'
    (project / "Cargo.toml").write_text(head + blocks["toml"], encoding="utf-8")
    (project / "src" / "main.rs").write_text(blocks["rust"], encoding="utf-8")
    shutil.copy(ROOT / "Cargo.lock", project / "Cargo.lock")
    command = ["cargo", "run", "--quiet", "--target-dir", str(ROOT / "target")]
    return done(subprocess.run(command, cwd=project, capture_output=True, text=True))


def done(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout
