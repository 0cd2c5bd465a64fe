"""Writes the types of the further keys of scenes from their schemas: `python keys.py > python/klast/_keys.py`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import klast
from klast import bodies, rockfall, rocking

# Name of the type, kind of scene, part of its schema, the call that takes the keys, keys that the call makes itself.
TAKEN: list[tuple[str, str, str, Callable[..., Any], set[str]]] = [
    ("MaterialKeys", "rockfall", "Material", rockfall.Material.__init__, set()),
    ("RockKeys", "rockfall", "Rock", rockfall.Rock.__init__, set()),
    ("SourceKeys", "rockfall", "Source", rockfall.Source.__init__, set()),
    ("BarrierKeys", "rockfall", "Barrier", rockfall.Barrier.__init__, set()),
    ("RigidBodyKeys", "rockfall", "Engine.rigid_body", rockfall.RigidBody.__init__, set()),
    ("RockfallKeys", "rockfall", "", rockfall.Rockfall.__init__, set()),
    ("RockingKeys", "rocking", "", rocking.rock, {"horizontal"}),
    ("RockingMapKeys", "rocking_map", "", rocking.rock_map, set()),
    ("FragilityKeys", "rocking_fragility", "", rocking.fragility, set()),
    ("AssessKeys", "assess", "", rocking.assess, set()),
    ("StackKeys", "stack", "", rocking.Stack.rock, {"horizontal", "blocks"}),
    ("BodyKeys", "bodies", "BodyEntry", bodies.World.add, set()),
    ("BodiesKeys", "bodies", "", bodies.World.run, {"materials", "bodies", "planes", "containers", "solver"}),
]

HEADER = '''"""Further keys of scenes, by the schemas of their kinds (made by `keys.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from ._parts import Part

if TYPE_CHECKING:
    from .rockfall.distributions import Number

Object = Mapping[str, Any] | Part
List = Sequence[Any] | np.ndarray[Any, Any]
'''

NAMES = {"number": "float", "integer": "int", "string": "str", "boolean": "bool", "array": "List", "object": "Object"}


def part(schema: dict[str, Any], path: str) -> dict[str, Any]:
    """The schema of a part: the whole, a definition, or what stands under the key of one of its forms."""
    if not path:
        return schema
    name, _, form = path.partition(".")
    found: dict[str, Any] = schema["$defs"][name]
    if form:
        found = next(f["properties"][form] for f in found["oneOf"] if form in f.get("properties", {}))
        found = resolved(schema, found)
    return found


def resolved(schema: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    reference = entry.get("$ref")
    return schema["$defs"][reference.rsplit("/", 1)[-1]] if reference else entry


def words(schema: dict[str, Any], entry: dict[str, Any]) -> set[str]:
    """The types of Python that a value may have."""
    if entry.get("$ref", "").endswith("/Number"):
        return {"Number"}
    own = resolved(schema, entry)
    forms = own.get("anyOf") or own.get("oneOf") or []
    found = set().union(*(words(schema, form) for form in forms)) if "type" not in own else set()
    kinds = own.get("type", [])
    found |= {NAMES.get(kind, "None") for kind in ([kinds] if isinstance(kinds, str) else kinds)}
    if "const" in own or "enum" in own:
        found |= {type(value).__name__ for value in own.get("enum", [own.get("const")])}
    return found or {"Any"}


def main() -> None:
    print(HEADER)
    texts = []
    for name, kind, path, call, made in TAKEN:
        schema = klast.schema(kind)
        taken = {*inspect.signature(call).parameters, *made, "schema", "kind", "$schema"}
        keys = {k: v for k, v in part(schema, path)["properties"].items() if k not in taken}
        rows = []
        for key, entry in sorted(keys.items()):
            found = sorted(words(schema, entry) - {"None"}) + ["None"]
            rows.append(f'        "{key}": "{"Any" if "Any" in found else " | ".join(found)}",\n')
        texts.append(f'{name} = TypedDict(\n    "{name}",\n    {{\n{"".join(rows)}    }},\n    total=False,\n)')
    print("\n".join(texts))


if __name__ == "__main__":
    main()
