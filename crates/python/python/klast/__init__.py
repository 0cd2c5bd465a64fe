"""Non-smooth dynamics of rocks and blocks: rockfall, rocking blocks and stacks, rows of blocks, rockfill, contact.

A scene is a dictionary, a JSON file or an object of this package. `run` computes it and gives results with the same
bits as the program `klast`. The modules are `klast.rockfall`, `klast.rocking`, `klast.bodies`, `klast.assembly`,
`klast.dem`, `klast.geometry` and `klast.contact`; `klast.dask` runs one scene on a cluster, and `klast.plot` draws.

Units are SI and radians, and the name of a number ends with its unit. Bad input raises `ValueError`; the message states
the value that was found and the values that are accepted.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._klast import VERSION as __version__
from .results import Outcome
from .scene import check, example, kinds, merge, run, schema, study, study_scene, with_files

if TYPE_CHECKING:
    from . import assembly, bodies, contact, dask, dem, geometry, plot, rockfall, rocking
    from .bodies import World
    from .rockfall import Rockfall
    from .rocking import Block, Motion, Stack

__all__ = [
    "Block",
    "Motion",
    "Outcome",
    "Rockfall",
    "Stack",
    "World",
    "__version__",
    "assembly",
    "bodies",
    "check",
    "contact",
    "dask",
    "dem",
    "example",
    "geometry",
    "kinds",
    "merge",
    "plot",
    "rockfall",
    "rocking",
    "run",
    "schema",
    "study",
    "study_scene",
    "with_files",
]

# What is not needed is not loaded: `import klast` costs little more than numpy does.
_MODULES = ("assembly", "bodies", "contact", "dask", "dem", "geometry", "plot", "rockfall", "rocking")
_NAMES = {
    "Block": "rocking",
    "Motion": "rocking",
    "Stack": "rocking",
    "Rockfall": "rockfall",
    "World": "bodies",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _NAMES:
        return getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)
    raise AttributeError(f"module 'klast' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
