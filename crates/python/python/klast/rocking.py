"""Rocking blocks and stacks under base motion.

`rock` computes one block with exact events, and `rock_many` computes thousands of blocks in one call. `rock_map`,
`fragility` and `assess` run scenes of the kinds `rocking_map`, `rocking_fragility` and `assess`. Rotations are in rad,
clockwise positive.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _keys, _klast
from ._arrays import Floats, Table, all_finite, floats, numeric, structured
from .results import Outcome
from ._parts import Part, known
from .scene import Progress, run

if TYPE_CHECKING:
    from typing_extensions import Unpack

UNITS = ("m_s2", "g", "cm_s2", "mm_s2")

MotionLike = Union["Motion", Mapping[str, Any]]
BlockLike = Union["Block", Mapping[str, Any]]


class Motion(Part):
    """One component of the motion of the base."""

    def __init__(self, acceleration: ArrayLike, dt_s: float, *, unit: str, scale: float = 1.0) -> None:
        """`acceleration` has the accelerations at equal steps `dt_s` (s) from time 0; they are linear between the
        steps. The unit must be stated: 'm_s2', 'g' (9.80665 m/s²), 'cm_s2' or 'mm_s2'."""
        if unit not in UNITS:
            raise ValueError(f"unit: {unit!r}; accepted: {', '.join(UNITS)}")
        values = floats("acceleration", acceleration, (None,))
        if len(values) < 2:
            raise ValueError(f"acceleration: {len(values)} values; accepted: 2 or more")
        dt = float(dt_s)
        if not (math.isfinite(dt) and dt > 0.0):
            raise ValueError(f"dt_s: {dt_s}; accepted: finite and above 0")
        data = "".join(f"{v!r}\n" for v in values.tolist()).encode()
        name = f"motion-{hashlib.sha256(data).hexdigest()[:12]}.txt"
        keys = {"kind": "record", "file": name, "unit": unit, "step_s": dt, "scale": scale}
        super().__init__(keys, {name: data})

    @classmethod
    def _of(cls, keys: Mapping[str, Any], files: Mapping[str, bytes] | None = None) -> Motion:
        made = cls.__new__(cls)
        Part.__init__(made, dict(keys), files)
        return made

    @classmethod
    def from_dict(cls, keys: Mapping[str, Any]) -> Motion:
        """A motion from the keys of a scene."""
        return cls._of(keys)

    @classmethod
    def rest(cls) -> Motion:
        """No motion."""
        return cls._of({"kind": "rest"})

    @classmethod
    def waves(cls, amplitude_m_s2: float, frequency_hz: float, *, waves: float = 1.0, phase_rad: float = 0.0) -> Motion:
        """Sine waves of acceleration; with a phase of π/2 they are cosine waves."""
        keys = {"amplitude_m_s2": amplitude_m_s2, "frequency_hz": frequency_hz, "phase_rad": phase_rad, "waves": waves}
        return cls._of({"kind": "waves", **keys})

    @classmethod
    def constant(cls, acceleration_m_s2: float, duration_s: float) -> Motion:
        """A constant acceleration for some time."""
        return cls._of({"kind": "constant", "acceleration_m_s2": acceleration_m_s2, "duration_s": duration_s})

    @classmethod
    def lasting(cls, amplitude_m_s2: float, frequency_hz: float, *, phase_rad: float = 0.0) -> Motion:
        """A harmonic acceleration that lasts as long as the simulation."""
        keys = {"amplitude_m_s2": amplitude_m_s2, "frequency_hz": frequency_hz, "phase_rad": phase_rad}
        return cls._of({"kind": "lasting", **keys})

    @classmethod
    def from_file(
        cls,
        file: str | os.PathLike[str],
        *,
        unit: str | None = None,
        step_s: float | None = None,
        time_column: str | None = None,
        acceleration_column: str | None = None,
        component: str | None = None,
        scale: float = 1.0,
    ) -> Motion:
        """A record in any format that a scene reads: AT2, K-NET, ESM, V2, COSMOS, GeoNet, columns."""
        path = Path(file)
        keys = {
            "kind": "record",
            "file": path.name,
            "unit": unit,
            "step_s": step_s,
            "time_column": time_column,
            "acceleration_column": acceleration_column,
            "component": component,
            "scale": scale,
        }
        return cls._of(keys, {path.name: path.read_bytes()})

    @classmethod
    def from_at2(cls, file: str | os.PathLike[str], *, scale: float = 1.0) -> Motion:
        """A PEER AT2 record, which states its unit."""
        return cls.from_file(file, scale=scale)

    @classmethod
    def from_obspy(cls, trace: Any, *, unit: str, scale: float = 1.0) -> Motion:
        """A motion from a Trace of obspy with accelerations, or from a Stream with one such Trace. The unit must be
        stated, because obspy does not keep it."""
        if hasattr(trace, "traces"):
            if len(trace.traces) != 1:
                names = ", ".join(str(t.id) for t in trace.traces)
                raise ValueError(
                    f"trace: a Stream of {len(trace.traces)} ({names}); accepted: one Trace (stream.select)"
                )
            trace = trace.traces[0]
        if np.ma.isMaskedArray(trace.data) and np.ma.getmaskarray(trace.data).any():
            raise ValueError("trace: a record with gaps; accepted: one without (split or merge(fill_value=...) first)")
        return cls(np.asarray(trace.data, dtype=float), float(trace.stats.delta), unit=unit, scale=scale)

    @cached_property
    def _native(self) -> _klast.Motion:
        return _klast.Motion(json.dumps(self.to_dict()), ".", self._files)

    @property
    def remarks(self) -> list[str]:
        """Remarks on the record: assumptions of the reader, and errors of the baseline."""
        return self._native.remarks

    @property
    def duration_s(self) -> float:
        """Duration (s)."""
        return self._native.duration_s

    @property
    def pga_m_s2(self) -> float:
        """Peak acceleration (m/s²)."""
        return self._native.pga_m_s2

    @property
    def pgv_m_s(self) -> float:
        """Peak velocity (m/s)."""
        return self._native.pgv_m_s

    def at(self, times_s: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Acceleration (m/s²), velocity (m/s) and displacement (m) at times (s)."""
        acceleration, velocity, displacement = self._native.at(floats("times_s", times_s, (None,)))
        return acceleration, velocity, displacement


def _motion(field: str, motion: MotionLike) -> Motion:
    if isinstance(motion, Motion):
        return motion
    if isinstance(motion, Mapping):
        return Motion.from_dict(motion)
    raise ValueError(
        f"{field}: a {type(motion).__name__}; accepted: a Motion, or its keys (Motion(acceleration, dt_s, unit=...))"
    )


class Block(Part):
    """A block with a flat base. The constructor makes a rectangle; the methods below make other shapes."""

    def __init__(self, width_m: float, height_m: float) -> None:
        super().__init__({"kind": "rectangle", "width_m": width_m, "height_m": height_m})

    @classmethod
    def _of(cls, keys: Mapping[str, Any]) -> Block:
        made = cls.__new__(cls)
        Part.__init__(made, dict(keys))
        return made

    @classmethod
    def from_slenderness(cls, slenderness_rad: float, half_diagonal_m: float) -> Block:
        """A rectangle, given by the angle atan(width/height) in rad and half of its diagonal."""
        return cls._of({"kind": "slenderness", "slenderness_rad": slenderness_rad, "half_diagonal_m": half_diagonal_m})

    @classmethod
    def revolved(cls, outline_m: ArrayLike) -> Block:
        """A body of revolution, given by points (radius, height) of its outline from the base upwards."""
        return cls._of({"kind": "revolved", "outline_m": floats("outline_m", outline_m, (None, 2))})

    @classmethod
    def unsymmetric(
        cls, *, to_left_m: float, to_right_m: float, centre_height_m: float, gyration_radius_m: float
    ) -> Block:
        """Any block with a flat base, given by its mass centre and its radius of gyration about the mass centre."""
        keys = {"to_left_m": to_left_m, "to_right_m": to_right_m, "centre_height_m": centre_height_m}
        return cls._of({"kind": "unsymmetric", **keys, "gyration_radius_m": gyration_radius_m})


def _restitution(restitution: str | float | Mapping[str, Any] | None) -> Any:
    """A name, a coefficient, or the keys of a scene."""
    if isinstance(restitution, str):
        return {"kind": restitution}
    if isinstance(restitution, (int, float)):
        return {"kind": "given", "eta": float(restitution)}
    return restitution


def rock(
    block: BlockLike,
    motion: MotionLike | None = None,
    *,
    duration_s: float,
    vertical: MotionLike | None = None,
    restitution: str | float | Mapping[str, Any] | None = None,
    friction: float | None = None,
    tilt_rad: float | None = None,
    sample_s: float | None = None,
    **keys: Unpack[_keys.RockingKeys],
) -> Outcome:
    """Computes one block with exact events: the scene of kind `rocking`. The outcome has the tables `history` and
    `events`, and a verdict. `keys` are further keys of the scene."""
    known(_keys.RockingKeys, keys, rock)
    scene = {
        "kind": "rocking",
        "block": block,
        "horizontal": None if motion is None else _motion("motion", motion),
        "vertical": None if vertical is None else _motion("vertical", vertical),
        "restitution": _restitution(restitution),
        "friction": friction,
        "duration_s": duration_s,
        "tilt_rad": tilt_rad,
        "sample_s": sample_s,
        **keys,
    }
    return run(scene)


FATES = ("rest", "slid", "stable", "rocking", "overturned right", "overturned left")


def rock_many(
    width_m: ArrayLike | None = None,
    height_m: ArrayLike | None = None,
    *,
    slenderness_rad: ArrayLike | None = None,
    half_diagonal_m: ArrayLike | None = None,
    motions: MotionLike | Sequence[MotionLike],
    motion: ArrayLike = 0,
    scale: ArrayLike = 1.0,
    tilt_rad: ArrayLike = 0.0,
    duration_s: float,
    restitution: str | float | Mapping[str, Any] = "housner",
    friction: float | None = None,
    gravity_m_s2: float = 9.81,
    equation: str = "nonlinear",
    overturned_at_rad: float = math.pi / 2,
    follow: bool = False,
    threads: int | None = None,
) -> Table:
    """Computes many blocks in one call. Sizes, `motion` (the number of a motion in `motions`), `scale` and `tilt_rad`
    are broadcast against each other, as arrays of numpy.

    Returns a structured array of the broadcast shape with the fields `fate` (an index into `klast.rocking.FATES`),
    `overturned`, `impacts`, `max_rotation_rad`, `max_slip_m`, `unresolved`, `end_time_s`. The computation of a block
    ends as soon as its outcome is decided, unless `follow` is True; `max_slip_m` is NaN if the computation of the block
    ended before the slip was known. A row depends neither on the other rows nor on the number of threads.
    """
    rectangle = width_m is not None or height_m is not None
    if rectangle == (slenderness_rad is not None or half_diagonal_m is not None):
        raise ValueError(
            "width_m, slenderness_rad: accepted: width_m and height_m, or slenderness_rad and half_diagonal_m"
        )
    names = ("width_m", "height_m") if rectangle else ("slenderness_rad", "half_diagonal_m")
    sizes = (width_m, height_m) if rectangle else (slenderness_rad, half_diagonal_m)
    for name, size in zip(names, sizes):
        if size is None:
            raise ValueError(f"{name}: none; accepted: {names[0]} and {names[1]}")
    if isinstance(motions, (Motion, Mapping)):
        motions = [motions]
    natives = [_motion(f"motions[{k}]", m)._native for k, m in enumerate(motions)]
    if not natives:
        raise ValueError("motions: none; accepted: one or more")
    index = np.asarray(motion)
    if index.dtype.kind not in "iu":
        raise ValueError(f"motion: dtype {index.dtype}; accepted: whole numbers, places in motions")
    varied = [numeric(name, value) for name, value in zip((*names, "scale", "tilt_rad"), (*sizes, scale, tilt_rad))]  # type: ignore[arg-type]
    for name, values in zip((*names, "scale", "tilt_rad"), varied):
        all_finite(name, values)
    try:
        spread = np.broadcast_arrays(*varied, index)
    except ValueError as error:
        shapes = ", ".join(
            f"{n} {np.shape(v)}" for n, v in zip((*names, "scale", "tilt_rad", "motion"), (*varied, index))
        )
        raise ValueError(f"shapes {shapes}; accepted: shapes that numpy broadcasts together") from error
    flat = [np.ascontiguousarray(a, dtype=np.float64).reshape(-1) for a in spread[:4]]
    options = {
        "block": "rectangle" if rectangle else "slenderness",
        "restitution": _restitution(restitution),
        "equation": equation,
        "friction": friction,
        "gravity_m_s2": gravity_m_s2,
        "duration_s": duration_s,
        "overturned_at_rad": overturned_at_rad,
        "follow": follow,
    }
    places = np.ascontiguousarray(spread[4], dtype=np.int64).reshape(-1)
    found = _klast.rock_many(json.dumps(options), flat[0], flat[1], places, flat[2], flat[3], natives, threads)
    return structured(found, len(places)).reshape(spread[0].shape)


def axis(quantity: str, start: float, stop: float, count: int) -> dict[str, Any]:
    """An axis of a map: a quantity in equal steps."""
    return {"quantity": quantity, "from": start, "to": stop, "count": count}


def rock_map(
    block: BlockLike,
    rows: Mapping[str, Any],
    columns: Mapping[str, Any],
    *,
    motion: str = "sine",
    duration_s: float,
    restitution: str | float | Mapping[str, Any] | None = None,
    friction: float | None = None,
    fixed: Sequence[Mapping[str, Any]] | None = None,
    threads: int | None = None,
    progress: Progress = False,
    **keys: Unpack[_keys.RockingMapKeys],
) -> Outcome:
    """Computes the outcomes of a block for many values of two quantities: the scene of kind `rocking_map`. `axis`
    makes `rows` and `columns`."""
    known(_keys.RockingMapKeys, keys, rock_map)
    scene = {
        "kind": "rocking_map",
        "block": block,
        "motion": motion,
        "duration_s": duration_s,
        "rows": rows,
        "columns": columns,
        "restitution": _restitution(restitution),
        "friction": friction,
        "fixed": fixed,
        **keys,
    }
    return run(scene, threads=threads, progress=progress)


def fragility(
    block: BlockLike,
    motions: Sequence[MotionLike],
    scales: ArrayLike | Mapping[str, Any],
    *,
    duration_s: float,
    restitution: str | float | Mapping[str, Any] | None = None,
    friction: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress = False,
    **keys: Unpack[_keys.FragilityKeys],
) -> Outcome:
    """Computes the probability of damage states over an intensity, with its band over records: the scene of kind
    `rocking_fragility`.

    `scales` has the scale factors in equal steps, as an array or as a dictionary with the keys `from`, `to` and
    `count`."""
    known(_keys.FragilityKeys, keys, fragility)
    scene = {
        "kind": "rocking_fragility",
        "block": block,
        "motions": [_motion(f"motions[{k}]", m) for k, m in enumerate(motions)],
        "scales": scales if isinstance(scales, Mapping) else _steps("scales", scales),
        "restitution": _restitution(restitution),
        "friction": friction,
        "duration_s": duration_s,
        **keys,
    }
    return run(scene, seed=seed, threads=threads, progress=progress)


def _steps(field: str, values: ArrayLike) -> dict[str, Any]:
    found = floats(field, values, (None,))
    even = np.linspace(found[0], found[-1], len(found)) if len(found) else found
    if len(found) < 2 or np.abs(found - even).max() > 1e-9 * np.abs(found).max():
        raise ValueError(
            f"{field}: {len(found)} values that are not evenly spaced; accepted: numpy.linspace(from, to, count)"
        )
    return {"from": float(found[0]), "to": float(found[-1]), "count": len(found)}


def assess(
    block: BlockLike,
    motions: Sequence[MotionLike],
    limit_states: Sequence[Mapping[str, Any]],
    *,
    target: Mapping[str, Any] | None = None,
    friction: float | None = None,
    restitution: str | float | Mapping[str, Any] | None = None,
    duration_s: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    **keys: Unpack[_keys.AssessKeys],
) -> Outcome:
    """Computes whether a free-standing object meets limit states, with the results on which the verdict rests: the
    scene of kind `assess`."""
    known(_keys.AssessKeys, keys, assess)
    scene = {
        "kind": "assess",
        "block": block,
        "motions": [_motion(f"motions[{k}]", m) for k, m in enumerate(motions)],
        "limit_states": list(limit_states),
        "target": target,
        "friction": friction,
        "restitution": _restitution(restitution),
        "duration_s": duration_s,
        **keys,
    }
    return run(scene, seed=seed, threads=threads)


class Stack(Part):
    """A stack of blocks, given from the base upwards. Each block is a tuple (width in m, height in m, mass in kg)."""

    def __init__(self, blocks: ArrayLike) -> None:
        rows = floats("blocks", blocks, (None, 3))
        self._rows = rows
        super().__init__([{"width_m": w, "height_m": h, "mass_kg": m} for w, h, m in rows.tolist()])

    def openings(
        self,
        acceleration_m_s2: tuple[float, float],
        angles_rad: ArrayLike | None = None,
        rates_rad_s: ArrayLike | None = None,
        *,
        gravity_m_s2: float = 9.81,
    ) -> str:
        """The configuration that an acceleration of the base (to the right, upwards) calls for, with all interfaces shut
        or with these rotations of the blocks, lowest first: `rest`, `1a` to `4b` for two blocks, or a letter for each
        interface (`L`, `F`, `R`) from the base."""
        angles, rates = self._instant(angles_rad, rates_rad_s)
        return _klast.stack_openings(self._rows.reshape(-1), gravity_m_s2, angles, rates, acceleration_m_s2)

    def impact(
        self,
        interface: int,
        angles_rad: ArrayLike,
        rates_rad_s: ArrayLike,
        *,
        relative_restitution: float | None = None,
        gravity_m_s2: float = 9.81,
    ) -> dict[str, Any]:
        """How an impact of an interface (0 is the base) settles: `configuration`, `rates_rad_s` of the blocks,
        `energy_j` before and after, and the `impulses` of the interfaces (normal and tangential in N s, moment in
        N m s). The rotation of the interface, or where it is zero its rate, sets the side that it comes from. `relative_restitution`
        multiplies the rate of opening of the plastic impact."""
        angles, rates = self._instant(angles_rad, rates_rad_s)
        return _klast.stack_impact(
            self._rows.reshape(-1), gravity_m_s2, angles, rates, interface, relative_restitution
        )

    def _instant(self, angles_rad: ArrayLike | None, rates_rad_s: ArrayLike | None) -> tuple[Floats, Floats]:
        zeros = np.zeros(len(self._rows))
        angles = floats("angles_rad", zeros if angles_rad is None else angles_rad, (None,))
        rates = floats("rates_rad_s", zeros if rates_rad_s is None else rates_rad_s, (None,))
        return angles, rates

    def rock(
        self,
        motion: MotionLike | None = None,
        *,
        duration_s: float,
        vertical: MotionLike | None = None,
        friction: float | None = None,
        sample_s: float | None = None,
        **keys: Unpack[_keys.StackKeys],
    ) -> Outcome:
        """Computes one motion of the stack: the scene of kind `stack`. `keys` are further keys of the scene, such as
        `engine`."""
        known(_keys.StackKeys, keys, self.rock)
        scene = {
            "kind": "stack",
            "blocks": self,
            "horizontal": None if motion is None else _motion("motion", motion),
            "vertical": None if vertical is None else _motion("vertical", vertical),
            "friction": friction,
            "duration_s": duration_s,
            "sample_s": sample_s,
            **keys,
        }
        return run(scene)


__all__ = [
    "FATES",
    "UNITS",
    "Block",
    "Motion",
    "Stack",
    "assess",
    "axis",
    "fragility",
    "rock",
    "rock_many",
    "rock_map",
]


def __dir__() -> list[str]:
    return sorted(__all__)
