"""Convex bodies with friction in a world that you describe first and then advance in steps.

Describe a `World` with `add`, `add_plane` and `add_container`, whose arguments are the keys of a scene of kind
`bodies`. The first step, or the first access to the state, builds the world as the program does, with the same
defaults. From then on each step updates its arrays in the same memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _keys, _klast
from ._arrays import Floats, Table, floats, structured
from ._stepped import States, steps
from .results import Outcome
from ._parts import Part, SceneLike, known, plain
from .scene import Progress, native, run

if TYPE_CHECKING:
    from typing_extensions import Unpack

Shape = Mapping[str, Any]


def box(edges_m: ArrayLike) -> dict[str, Any]:
    """A box with the lengths of its edges along x, y and z (m)."""
    return {"kind": "box", "edges_m": floats("edges_m", edges_m, (3,))}


def ball(diameter_m: float, level: int = 2) -> dict[str, Any]:
    """A polyhedron close to a ball, with triangular facets."""
    return {"kind": "ball", "diameter_m": diameter_m, "level": level}


def column(sides: int, diameter_m: float, height_m: float) -> dict[str, Any]:
    """A regular prism along z, given by its number of sides, the diameter of the circle through its corners, and its
    height."""
    return {"kind": "column", "sides": sides, "diameter_m": diameter_m, "height_m": height_m}


def outline(corners_m: ArrayLike, depth_m: float) -> dict[str, Any]:
    """A convex outline, given by corners (x, z), with a depth along y, for example a voussoir or a wedge."""
    return {"kind": "outline", "corners_m": floats("corners_m", corners_m, (None, 2)), "depth_m": depth_m}


def hull(points_m: ArrayLike) -> dict[str, Any]:
    """The convex hull of points (N, 3) in m. The points keep their coordinates."""
    return {"kind": "points", "points_m": floats("points_m", points_m, (None, 3))}


def _text(entry: Mapping[str, Any]) -> str:
    return json.dumps(plain(entry, "", {}))


def _vector(field: str, value: ArrayLike | None, length: int) -> Floats | None:
    return None if value is None else floats(field, value, (length,))


class World(Part):
    """A world of bodies and planes, with its time."""

    def __init__(
        self,
        *,
        step_s: float = 1e-3,
        gravity_m_s2: ArrayLike = (0.0, 0.0, -9.81),
        effort: Mapping[str, Any] | None = None,
        seed: int | None = None,
        **solver: Any,
    ) -> None:
        """`effort` and the further arguments are keys of `solver` in a scene. The effort is `auto` unless stated, with
        a residual of 1e-6 for bodies that stand."""
        super().__init__(
            {
                "schema": 1,
                "kind": "bodies",
                "gravity_m_s2": floats("gravity_m_s2", gravity_m_s2, (3,)),
                "materials": {},
                "bodies": [],
                "planes": [],
                "containers": [],
                "loads": [],
                "ties": [],
                "removals": [],
                "solver": {"step_s": step_s, "effort": effort, **solver},
                "seed": seed,
            }
        )
        self._base = "."
        self._world: _klast.World | None = None

    @classmethod
    def from_scene(
        cls,
        scene: SceneLike,
        *,
        base: str | os.PathLike[str] | None = None,
        files: Mapping[str, bytes] | None = None,
        seed: int | None = None,
    ) -> World:
        """The world of a scene of kind `bodies`."""
        read = native(scene, base, files)
        if read.kind != "bodies":
            raise ValueError(f"kind: '{read.kind}'; accepted: 'bodies'")
        made = cls.__new__(cls)
        built = _klast.World(read, seed)
        keys = json.loads(read.text)
        # The bytes of what was read come along, so that `run` has the files and the seed of this world.
        Part.__init__(made, {**keys, "seed": keys.get("seed") if seed is None else seed}, read.inputs())
        made._base = os.fspath(read.base)
        made._built(built)
        return made

    def _built(self, world: _klast.World) -> None:
        self._world = world
        self._names = world.names
        self._states = States(world, len(self._names))

    def _ready(self) -> _klast.World:
        if self._world is None:
            if not self._keys["bodies"]:
                raise ValueError("bodies: none; accepted: one or more (world.add)")
            self._built(
                _klast.World(
                    native({**self._keys, "duration_s": 1e8 * self._keys["solver"]["step_s"]}, files=self._files), None
                )
            )
        assert self._world is not None
        return self._world

    def _open(self) -> None:
        if self._world is not None:
            raise ValueError("the world is built: it was stepped or looked at; accepted: add first, step then")

    def material(self, name: str, *, friction: float, restitution: float = 0.0, density_kg_m3: float = 2700.0) -> None:
        """Adds a material with a name. A pair of materials has the geometric mean of both frictions and of both
        restitutions."""
        self._open()
        self._keys["materials"][name] = {
            "friction": friction,
            "restitution": restitution,
            "density_kg_m3": density_kg_m3,
        }

    def _known(self, material: str) -> str:
        known = ", ".join(self._keys["materials"]) or "none yet (world.material)"
        if material not in self._keys["materials"]:
            raise ValueError(f"material: {material!r}; accepted: {known}")
        return material

    def add(
        self,
        shape: Shape,
        *,
        material: str,
        at_m: ArrayLike = (0.0, 0.0, 0.0),
        quaternion_wxyz: ArrayLike | None = None,
        velocity_m_s: ArrayLike | None = None,
        spin_rad_s: ArrayLike | None = None,
        moved_by: Mapping[str, Any] | str | None = None,
        name: str | None = None,
        **keys: Unpack[_keys.BodyKeys],
    ) -> str:
        """Adds a body and returns its name. The origin of `shape` is at `at_m`; the shape is rotated by the
        quaternion. `moved_by` is 'fixed', or the keys of a motion; the body is free unless stated. `keys` are further
        keys of the scene, such as `copies`."""
        known(_keys.BodyKeys, keys, self.add)
        self._open()
        quaternion = _vector("quaternion_wxyz", quaternion_wxyz, 4)
        if quaternion is not None and abs(float(np.linalg.norm(quaternion)) - 1.0) > 1e-6:
            raise ValueError(
                f"quaternion_wxyz: length {np.linalg.norm(quaternion):.9g}; accepted: 1 (w first, then x, y, z)"
            )
        number = len(self._keys["bodies"])
        entry = {
            "name": name if name is not None else f"body {number + 1}",
            "material": self._known(material),
            "shape": shape,
            "at_m": floats("at_m", at_m, (3,)),
            "quaternion_wxyz": quaternion,
            "velocity_m_s": _vector("velocity_m_s", velocity_m_s, 3),
            "spin_rad_s": _vector("spin_rad_s", spin_rad_s, 3),
            "moved_by": {"kind": moved_by} if isinstance(moved_by, str) else moved_by,
            **keys,
        }
        self._keys["bodies"].append(entry)
        return str(entry["name"])

    def add_plane(
        self, normal: ArrayLike, offset_m: float = 0.0, *, material: str, moved_by: Mapping[str, Any] | None = None
    ) -> None:
        """Adds a plane; bodies stay on the side to which its normal points."""
        self._open()
        entry = {
            "material": self._known(material),
            "normal": floats("normal", normal, (3,)),
            "offset_m": offset_m,
            "moved_by": moved_by,
        }
        self._keys["planes"].append(entry)

    def add_container(self, low_m: ArrayLike, high_m: ArrayLike, *, material: str) -> None:
        """Adds a box that is open at the top. The two points are its inner corners with the smallest and the largest
        coordinates (m)."""
        self._open()
        corners = {"low_m": floats("low_m", low_m, (3,)), "high_m": floats("high_m", high_m, (3,))}
        self._keys["containers"].append({"material": self._known(material), **corners})

    def add_load(self, body: str, acts: Mapping[str, Any], *, factors: ArrayLike | None = None) -> int:
        """Adds a load to a free body and returns the number of the load. `acts` are the keys of `acts` of a load in a
        scene: `{"kind": "force", "force_n": [...], "at_m": [...]}`, `torque`, or the pressures `water`, `earth` and
        `joint`. `factors` are pairs of a time (s) and a factor; the load is constant unless stated. A load that is
        added after the first step acts from then on, and is not part of `to_scene` and `run`."""
        course = None if factors is None else floats("factors", factors, (None, 2))
        entry = {"body": body, "acts": acts, "factors": course}
        if self._world is not None:
            return self._world.add_load(_text(entry))
        self._keys["loads"].append(entry)
        return len(self._keys["loads"]) - 1

    def end_load(self, number: int) -> None:
        """Ends a load; its number is not used again."""
        self._ready().end_load(number)

    def add_tie(
        self,
        first: tuple[str | None, ArrayLike],
        second: tuple[str | None, ArrayLike],
        *,
        stiffness_n_per_m: float,
        name: str | None = None,
        form: str = "bar",
        pretension_n: float = 0.0,
        strength_n: float | None = None,
        failure: str = "brittle",
    ) -> int:
        """Adds a tie and returns its number. An end is the name of a body, or None for a fixed point, and where the end
        is (m). `form` is 'bar' (only in tension) or 'dowel' (in all directions), `failure` 'brittle' or 'plastic'. A
        tie that is added after the first step is not part of `to_scene` and `run`."""
        number = len(self._keys.get("ties", ()))
        entry = {
            "name": name if name is not None else f"tie {number + 1}",
            "ends": [{"body": body, "at_m": floats("at_m", at, (3,))} for body, at in (first, second)],
            "form": form,
            "stiffness_n_per_m": stiffness_n_per_m,
            "pretension_n": pretension_n,
            "strength_n": strength_n,
            "failure": failure,
        }
        if self._world is not None:
            return self._world.add_tie(_text(entry))
        self._keys["ties"].append(entry)
        return number

    def cut_tie(self, number: int) -> None:
        """Cuts a tie: it has no force any more."""
        self._ready().cut_tie(number)

    def tie(self, number: int) -> dict[str, Any]:
        """The state of a tie: `force_n` on its first end, `elongation_m`, the part `plastic_m` of it that stays, and
        whether it is `broken`."""
        found = self._ready().tie(number)
        if found is None:
            raise ValueError(f"number: {number}; accepted: the number of a tie")
        force, elongation, plastic, broken = found
        return {"force_n": np.array(force), "elongation_m": elongation, "plastic_m": plastic, "broken": broken}

    def remove(self, body: str, *, at_s: float | None = None) -> None:
        """Takes out a body at a time (s), or at once: a stone that is lost, or ground that is dug away. A time is
        stated before the first step; what is taken out at once is not part of `to_scene` and `run`."""
        if at_s is None:
            self._ready().remove(body)
            return
        self._open()
        self._keys["removals"].append({"body": body, "at_s": at_s})

    def to_scene(self, duration_s: float, **keys: Unpack[_keys.BodiesKeys]) -> dict[str, Any]:
        """The scene of kind `bodies` for the program; `keys` are further keys of the scene, such as
        `stands_within_m`."""
        known(_keys.BodiesKeys, keys, self.to_scene)
        scene: dict[str, Any] = plain({**self._keys, "duration_s": duration_s, **keys}, "", dict(self._files))
        return scene

    def run(
        self,
        duration_s: float,
        *,
        seed: int | None = None,
        threads: int | None = None,
        progress: Progress = False,
        **keys: Unpack[_keys.BodiesKeys],
    ) -> Outcome:
        """Runs the whole scene from its start, as the program does, and returns an outcome with the energy balance and
        the verdict."""
        known(_keys.BodiesKeys, keys, self.run)
        return run(
            {**self._keys, "duration_s": duration_s, **keys},
            base=self._base,
            files=self._files,
            seed=seed,
            threads=threads,
            progress=progress,
        )

    def step(self, dt_s: float | None = None, n: int = 1) -> None:
        """Makes `n` steps of `dt_s` seconds. Without `dt_s`, the step has the length of the last call, or `step_s` in
        the first call."""
        world = self._ready()
        world.step(dt_s, steps(n))
        self._states.refresh()

    @property
    def time_s(self) -> float:
        """Time (s)."""
        return self._ready().time

    @property
    def names(self) -> list[str]:
        """Names of the bodies, in their order."""
        self._ready()
        return self._names

    def __len__(self) -> int:
        return len(self.names)

    @property
    def free(self) -> NDArray[np.bool_]:
        """Whether gravity and contacts move each body."""
        return np.array(self._ready().free, dtype=bool)

    @property
    def mass_kg(self) -> Floats:
        """Mass of each body (kg)."""
        return np.array(self._ready().mass)

    @property
    def positions(self) -> Floats:
        """Position of the origin of each shape (m): a read-only array (N, 3) that `step` updates."""
        self._ready()
        view: Floats = self._states.views[0]
        return view

    @property
    def quaternions(self) -> Floats:
        """Attitude of each shape as a quaternion w, x, y, z: a read-only array (N, 4) that `step` updates."""
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

    def set_velocity(self, body: int, velocity_m_s: ArrayLike, spin_rad_s: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Sets the velocity of the mass centre (m/s) and the spin (rad/s) of a body."""
        world = self._ready()
        linear, angular = floats("velocity_m_s", velocity_m_s, (3,)), floats("spin_rad_s", spin_rad_s, (3,))
        world.set_velocity(body, linear.tolist(), angular.tolist())
        self._states.refresh()

    @property
    def contacts(self) -> Table:
        """The contacts of the last step, with one row for each: `first`, `second` (plane k is -1 - k), `point_m`,
        `normal` (towards the first), `gap_m`, `friction`, `restitution`, `impulse_n_s` on the first, `velocity_m_s`
        of the first relative to the second."""
        return structured(self._ready().contacts())

    @property
    def report(self) -> dict[str, Any]:
        """Energies, dissipated energies, residual and overlap of the last step."""
        return self._ready().report()

    @property
    def ledger(self) -> dict[str, Any]:
        """Sums of the terms of the energy balance over all steps."""
        return self._ready().ledger()

    @property
    def residual(self) -> float:
        """Largest relative residual of the last step."""
        return float(self.report["solver"]["residual"])

    @property
    def energy_j(self) -> tuple[float, float, float]:
        """Kinetic, potential and elastic energy (J) of the free bodies."""
        return self._ready().energy

    def shape(self, body: int) -> tuple[Floats, list[list[int]]]:
        """Corners of the shape of a body (m), and the numbers of the corners of each facet, in the coordinates of the
        shape."""
        return self._ready().shape(body)

    def snapshot(self) -> str:
        """The state of the world, which `restore` takes."""
        return self._ready().snapshot()

    def restore(self, snapshot: str) -> None:
        """Sets the state of the world to an earlier state of the same world."""
        self._ready().restore(snapshot)
        self._states.refresh()


__all__ = ["Shape", "World", "ball", "box", "column", "hull", "outline"]


def __dir__() -> list[str]:
    return sorted(__all__)
