"""The exact path of one rock."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, all_finite, numeric


class Path:
    """The exact path of one rock: arcs of constant acceleration of the mass centre."""

    def __init__(self, rock: int, arcs: NDArray[Any], mass_kg: float, outcome: str) -> None:
        self.rock = rock
        self.arcs = arcs
        self.mass_kg = mass_kg
        self.outcome = outcome

    @property
    def duration_s(self) -> float:
        """Time from release to the end (s)."""
        return float(self.arcs["time_s"][-1] + self.arcs["duration_s"][-1]) if len(self.arcs) else 0.0

    def _on(self, t: ArrayLike) -> tuple[NDArray[Any], Floats]:
        times = numeric("t", t).astype(float)
        all_finite("t", times)
        if not len(self.arcs):
            raise ValueError(f"rock {self.rock}: no path (outcome {self.outcome}); accepted: a rock that was run")
        if times.size and not (times.min() >= 0.0 and times.max() <= self.duration_s):
            raise ValueError(f"t: {times.min()} to {times.max()} s; accepted: 0 to {self.duration_s} s")
        arc = self.arcs[np.maximum(np.searchsorted(self.arcs["time_s"], times, side="right") - 1, 0)]
        # A gap between two arcs, by rounding, belongs to the end of the first.
        return arc, np.minimum(times - arc["time_s"], arc["duration_s"])[..., np.newaxis]

    def position(self, t: ArrayLike) -> Floats:
        """Position (m) at times since release (s): an array (3,) for one time, and (N, 3) for N times."""
        arc, s = self._on(t)
        place: Floats = arc["position_m"] + (arc["velocity_m_s"] + arc["acceleration_m_s2"] * (0.5 * s)) * s
        return place

    def velocity(self, t: ArrayLike) -> Floats:
        """Velocity (m/s) at times since release (s)."""
        arc, s = self._on(t)
        speed: Floats = arc["velocity_m_s"] + arc["acceleration_m_s2"] * s
        return speed

    def energy_kj(self, t: ArrayLike) -> Floats:
        """Kinetic energy of translation and rotation (kJ) at times since release (s)."""
        arc, _ = self._on(t)
        v = self.velocity(t)
        energy: Floats = 1e-3 * (0.5 * self.mass_kg * (v * v).sum(axis=-1) + arc["rotational_energy_j"])
        return energy

    def sample(self, step_s: float = 0.05) -> tuple[Floats, Floats]:
        """Times (s) and positions (m) at equal steps and at the ends of all arcs."""
        times = np.concatenate([np.arange(0.0, self.duration_s, step_s), self.arcs["time_s"], [self.duration_s]])
        times = np.unique(np.minimum(times, self.duration_s))
        return times, self.position(times)
