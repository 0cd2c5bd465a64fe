"""Pieces of a scene: keys and values as JSON has them, and the files that they name."""

from __future__ import annotations

import difflib
import inspect
import json
import math
import os
from collections.abc import Callable, Mapping
from typing import Any, Union

import numpy as np

from ._scipy import keys_of


class Part:
    """A piece of a scene: its keys and values, and the files that it names and brings along."""

    def __init__(self, keys: Any, files: Mapping[str, bytes] | None = None) -> None:
        self._keys = keys
        self._files = dict(files or {})
        # The folder at which relative paths start; the working folder unless stated.
        self._base: Any = None

    def to_dict(self) -> Any:
        """The keys and values as the scene file has them."""
        return plain(self._keys, "", self._files)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({json.dumps(self.to_dict())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and self.to_dict() == other.to_dict()


def known(of: type, keys: Mapping[str, object], call: Callable[..., object]) -> None:
    """Refuses a key that the scene has not, as Python refuses an argument that a call has not."""
    further = list(of.__annotations__)
    for key in keys:
        if key not in further:
            own = [name for name in inspect.signature(call).parameters if name not in ("self", "cls", "keys")]
            near = difflib.get_close_matches(key, [*own, *further], 1)
            hint = f"; nearest known: '{near[0]}'" if near else f"; accepted: {', '.join(sorted([*own, *further]))}"
            raise TypeError(f"unexpected keyword argument '{key}'{hint}")


SceneLike = Union[Mapping[str, Any], str, "os.PathLike[str]", Part]


def plain(value: Any, path: str, files: dict[str, bytes]) -> Any:
    """A value as JSON has it. Files that parts bring along are added to `files`."""
    if isinstance(value, Part):
        for name, data in value._files.items():
            if files.setdefault(name, data) != data:
                raise ValueError(f"{path}: a second file '{name}' of other bytes; accepted: one content a name")
        return plain(value._keys, path, files)
    if isinstance(value, Mapping):
        inner = {str(key): plain(v, f"{path}.{key}" if path else str(key), files) for key, v in value.items()}
        return {key: v for key, v in inner.items() if v is not None}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(v, f"{path}[{k}]", files) for k, v in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{path}: {value}; accepted: a finite number")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "dist"):
        return plain(keys_of(value, path), path, files)
    raise ValueError(f"{path}: a {type(value).__name__}; accepted: numbers, words, lists, dictionaries, parts of klast")
