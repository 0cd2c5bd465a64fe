"""The program `klast`, as the console script of the wheel starts it."""

from __future__ import annotations

import sys

from ._klast import program


def main() -> None:
    """Runs the command in the arguments and ends the process with its exit code."""
    sys.exit(program(["klast", *sys.argv[1:]]))
