"""The program that the wheel installs beside the module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import klast

SCRIPT = str(Path(sys.executable).with_name("klast"))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


def test_the_script_is_the_program_of_this_version() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.split()[:2] == ["klast", klast.__version__]


def test_its_results_are_those_of_the_module(examples: Path, tmp_path: Path) -> None:
    scene = examples / "rocking.json"
    done = run("run", str(scene), "--out", str(tmp_path / "out"), "--quiet")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "result.json").read_bytes() == klast.run(str(scene)).read("result.json")


def test_it_has_the_tables_and_refuses_what_is_no_scene(tmp_path: Path) -> None:
    done = run("verify", "rocfall3/table-2.1")
    assert done.returncode == 0, done.stdout + done.stderr
    absent = run("run", str(tmp_path / "absent.json"))
    assert (absent.returncode, absent.stdout) == (2, "")
