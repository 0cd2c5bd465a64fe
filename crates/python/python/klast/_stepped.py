"""What worlds that are stepped by hand share: arrays that are refreshed in place after each step."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ._arrays import Floats


class Filled(Protocol):
    """A native world."""

    def fill(self, positions: Floats, quaternions: Floats, velocities: Floats) -> None:
        """Puts the state into arrays."""


class States:
    """Positions (N, 3), quaternions w x y z (N, 4) and velocities with spins (N, 6), the same arrays for good: a view
    that was taken shows the state after the next step."""

    def __init__(self, world: Filled, count: int) -> None:
        self._world = world
        self._owned = (np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6)))
        self.views = tuple(_read_only(array) for array in self._owned)
        self.refresh()

    def refresh(self) -> None:
        """Puts the present state into them."""
        self._world.fill(*self._owned)


def _read_only(array: Floats) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view


def steps(n: Any) -> int:
    """A number of steps."""
    if isinstance(n, (bool, float)) or not isinstance(n, (int, np.integer)) or n < 0:
        raise ValueError(f"n: {n!r}; accepted: a whole number of steps, 0 or more")
    return int(n)
