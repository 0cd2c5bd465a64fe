"""Convex polyhedra whose contacts follow a penalty law.

Bodies and planes are described as in `klast.bodies`. All pairs have the same law: a normal force F = k δ^p with the
stiffness k, the overlap δ and the exponent p, restitution, friction, and a tangential spring. A shot through rockfill
is a scene of kind `rockfill`, which `klast.run` runs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _keys, _klast
from ._arrays import Floats, Table, structured
from ._stepped import States, steps
from .bodies import World as _Described
from .scene import native

if TYPE_CHECKING:
    from typing_extensions import Unpack


class World:
    """A world of polyhedra and planes with a penalty law. Its time steps are central differences."""

    def __init__(
        self,
        *,
        step_s: float,
        normal_stiffness_n_per_m: float,
        tangential_stiffness_n_per_m: float = 0.0,
        exponent: float = 1.0,
        friction: float = 0.0,
        restitution: float = 1.0,
        damping_rate_per_s: float = 0.0,
        gravity_m_s2: ArrayLike = (0.0, 0.0, -9.81),
    ) -> None:
        self._law = {
            "normal_stiffness_n_per_m": normal_stiffness_n_per_m,
            "tangential_stiffness_n_per_m": tangential_stiffness_n_per_m,
            "exponent": exponent,
            "friction": friction,
            "restitution": restitution,
            "damping_rate_per_s": damping_rate_per_s,
        }
        self._described = _Described(step_s=step_s, gravity_m_s2=gravity_m_s2)
        self._world: _klast.Particles | None = None

    def _open(self) -> None:
        if self._world is not None:
            raise ValueError("the world is built: it was stepped or looked at; accepted: add first, step then")

    def add(
        self,
        shape: dict[str, Any],
        *,
        density_kg_m3: float = 2700.0,
        at_m: ArrayLike = (0.0, 0.0, 0.0),
        quaternion_wxyz: ArrayLike | None = None,
        velocity_m_s: ArrayLike | None = None,
        spin_rad_s: ArrayLike | None = None,
        name: str | None = None,
        **keys: Unpack[_keys.BodyKeys],
    ) -> str:
        """Adds a free body, with the keys of `klast.bodies.World.add`."""
        self._open()
        material = f"density {float(density_kg_m3)!r}"
        self._described.material(material, friction=float(self._law["friction"]), density_kg_m3=density_kg_m3)
        return self._described.add(
            shape,
            material=material,
            at_m=at_m,
            quaternion_wxyz=quaternion_wxyz,
            velocity_m_s=velocity_m_s,
            spin_rad_s=spin_rad_s,
            name=name,
            **keys,
        )

    def add_plane(self, normal: ArrayLike, offset_m: float = 0.0) -> None:
        """Adds a plane; bodies stay on the side to which its normal points."""
        self._open()
        self._described.material("plane", friction=float(self._law["friction"]))
        self._described.add_plane(normal, offset_m, material="plane")

    def _ready(self) -> _klast.Particles:
        if self._world is None:
            scene = self._described.to_scene(1e8 * self._described._keys["solver"]["step_s"])
            self._world = _klast.Particles(native(scene), json.dumps(self._law))
            self._states = States(self._world, len(self._world.names))
        return self._world

    def step(self, n: int = 1) -> None:
        """Makes `n` steps."""
        self._ready().step(steps(n))
        self._states.refresh()

    @property
    def time_s(self) -> float:
        """Time (s)."""
        return self._ready().time

    @property
    def names(self) -> list[str]:
        """Names of the bodies, in their order."""
        return self._ready().names

    def __len__(self) -> int:
        return len(self.names)

    @property
    def positions(self) -> Floats:
        """Mass centre of each body (m): a read-only array (N, 3) that `step` updates."""
        self._ready()
        view: Floats = self._states.views[0]
        return view

    @property
    def quaternions(self) -> Floats:
        """Attitude of the principal axes of each body as a quaternion w, x, y, z: a read-only array (N, 4) that `step`
        updates."""
        self._ready()
        view: Floats = self._states.views[1]
        return view

    @property
    def velocities(self) -> Floats:
        """Velocity of each mass centre (m/s) and spin of each body (rad/s): a read-only array (N, 6) that `step`
        updates."""
        self._ready()
        view: Floats = self._states.views[2]
        return view

    @property
    def contacts(self) -> Table:
        """Pairs in contact, with one row for each: `first`, `second`, `depth_m`, `force_n` on the second,
        `point_m`."""
        return structured(self._ready().contacts())

    @property
    def energy_j(self) -> dict[str, float]:
        """Energies (J): of translation, of rotation, elastic, of tangential springs, and of gravity."""
        names = ("translation", "rotation", "elastic", "tangential", "gravity")
        return dict(zip(names, np.array(self._ready().energy).tolist()))

    @property
    def stable_step_s(self) -> float:
        """Estimate of the longest stable step (s)."""
        return self._ready().stable_step_s

    @property
    def warnings(self) -> list[str]:
        """Warnings about the present state."""
        return self._ready().warnings


__all__ = ["World"]


def __dir__() -> list[str]:
    return sorted(__all__)
