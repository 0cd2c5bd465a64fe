"""A row of blocks in a shaken basin, computed event by event.

Arguments are the keys of a scene of kind `assembly`; `klast.run` runs the scene itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from . import _klast
from ._arrays import Table, structured
from .results import Outcome
from ._parts import Part
from .scene import native, run


class Row(Part):
    """A row of blocks, its basin and its start."""

    def __init__(
        self,
        *,
        basin: Mapping[str, Any],
        drive: Mapping[str, Any] | Part,
        blocks: Sequence[Mapping[str, Any]],
        rule: str,
        gaps_m: Sequence[float] | None = None,
        start: str | None = None,
    ) -> None:
        keys = {"basin": basin, "drive": drive, "blocks": list(blocks), "gaps_m": gaps_m, "start": start, "rule": rule}
        super().__init__(keys)
        self._row: _klast.Row | None = None

    def _ready(self) -> _klast.Row:
        if self._row is None:
            self._row = _klast.Row(native({"kind": "assembly", "row": self, "duration_s": 1.0, "sample_s": 1.0}))
        return self._row

    def run(self, duration_s: float, *, sample_s: float) -> Outcome:
        """Runs the whole scene of kind `assembly` from its start, and returns history, events, indices and period."""
        return run({"kind": "assembly", "row": self, "duration_s": duration_s, "sample_s": sample_s})

    def advance_to(self, time_s: float) -> None:
        """Computes the motion of the row up to a time (s)."""
        time = float(time_s)
        if not math.isfinite(time):
            raise ValueError(f"time_s: {time_s}; accepted: finite")
        self._ready().advance_to(time)

    @property
    def time_s(self) -> float:
        """Time (s)."""
        return self._ready().time

    @property
    def blocks(self) -> Table:
        """State of every block: `left_m`, `right_m`, `velocity_m_s`, `slip_m_s`."""
        return structured(self._ready().state())

    @property
    def basin_state(self) -> tuple[float, float]:
        """Position (m) and velocity (m/s) of the basin."""
        return self._ready().basin

    def take_events(self) -> Table:
        """The events since the last call."""
        return structured(self._ready().events())

    @property
    def clusters(self) -> list[tuple[int, int]]:
        """Numbers of the first and last block of each cluster (neighbouring blocks that move as one)."""
        return self._ready().clusters

    @property
    def energy_residual(self) -> float:
        """Energy residual of the balance, over the sum of the absolute values of all contributions to the balance."""
        return self._ready().energy_residual


__all__ = ["Row"]


def __dir__() -> list[str]:
    return sorted(__all__)
