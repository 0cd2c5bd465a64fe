"""Writes the reference of the book from the docstrings: `python reference.py > ../../docs/src/python/reference.md`."""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType
from typing import Any

MODULES = (
    "klast",
    "klast.rockfall",
    "klast.rocking",
    "klast.bodies",
    "klast.dem",
    "klast.assembly",
    "klast.contact",
    "klast.geometry",
    "klast.dask",
    "klast.plot",
)


def first(text: str | None) -> str:
    """The docstring as one paragraph a block."""
    blocks = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(" ".join(block.split()) for block in blocks)


def signature(name: str, thing: Any) -> str:
    """A call with its names and defaults, without types: the stubs have those."""
    parameters = []
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        word = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
        if (
            parameter.kind is parameter.KEYWORD_ONLY
            and "*" not in parameters
            and not any(p.startswith("*") for p in parameters)
        ):
            parameters.append("*")
        default = parameter.default
        parameters.append(word if default is parameter.empty else f"{word}={default!r}")
    return f"{name}({', '.join(parameters)})"


def public(module: ModuleType) -> list[tuple[str, Any]]:
    """Functions and classes that are the module's own, in the order of its text."""
    if module.__name__ == "klast":
        names = ["run", "study", "study_scene", "check", "merge", "kinds", "schema", "example", "Outcome"]
        return [(name, getattr(module, name)) for name in names]
    if hasattr(module, "__path__"):
        return [(name, getattr(module, name)) for name in module.__all__]
    own = [
        (name, thing)
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and getattr(thing, "__module__", "") == module.__name__
        and (inspect.isclass(thing) or inspect.isfunction(thing))
    ]
    return sorted(own, key=lambda item: inspect.getsourcelines(item[1])[1])


def members(cls: type) -> list[tuple[str, str]]:
    """Public methods and properties with their docstrings."""
    found = []
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if inspect.isfunction(plain):
            found.append((signature(name, plain), first(plain.__doc__)))
        elif hasattr(member, "__doc__") and (isinstance(member, property) or hasattr(member, "func")):
            inner = member.fget if isinstance(member, property) else member.func
            found.append((name, first(inner.__doc__)))
    return found


def main() -> None:
    """Writes the page."""
    print("# Python reference\n")
    print(
        "This page lists every function and class of the Python package with its description. The annotations of the "
        "package state the types, which `mypy --strict` checks."
    )
    for name in MODULES:
        module = importlib.import_module(name)
        print(f"\n## {name}\n\n{first(module.__doc__)}")
        for word, thing in public(module):
            print(f"\n### `{signature(word, thing)}`\n\n{first(thing.__doc__)}")
            if inspect.isclass(thing):
                own = first(thing.__init__.__doc__)
                if own and "See help(type(self))" not in own:
                    print(f"\n{own}")
                lines = [f"* `{call}`: {' '.join(text.split())}" for call, text in members(thing)]
                print(("\n" + "\n".join(lines)) if lines else "", end="\n" if lines else "")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
