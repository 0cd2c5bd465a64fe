"""Further keys of scenes, by the schemas of their kinds (made by `keys.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from ._parts import Part

if TYPE_CHECKING:
    from .rockfall.distributions import Number

Object = Mapping[str, Any] | Part
List = Sequence[Any] | np.ndarray[Any, Any]

MaterialKeys = TypedDict(
    "MaterialKeys",
    {
        "class": "str | None",
        "drag_height_m": "float | None",
        "drag_per_s": "Number | None",
        "penetration": "Object | None",
        "posterior": "str | None",
        "restitution_by_mass": "Object | None",
        "restitution_by_speed": "Object | None",
        "rolling_resistance": "Number | None",
        "scarring": "Object | None",
    },
    total=False,
)
RockKeys = TypedDict(
    "RockKeys",
    {
        "class": "str | None",
    },
    total=False,
)
SourceKeys = TypedDict(
    "SourceKeys",
    {
        "raise_buried_up_to_m": "float | None",
        "rocks_per_cell": "int | None",
    },
    total=False,
)
BarrierKeys = TypedDict(
    "BarrierKeys",
    {
        "design": "Object | None",
        "flexible": "Object | None",
        "space_behind_m": "float | None",
    },
    total=False,
)
RigidBodyKeys = TypedDict(
    "RigidBodyKeys",
    {
        "contact_step_s": "float | None",
        "hull_tolerance": "float | None",
        "impact_law": "str | None",
        "manual": "Object | str | None",
        "tangential_restitution_impulse": "float | None",
    },
    total=False,
)
RockfallKeys = TypedDict(
    "RockfallKeys",
    {
        "author": "str | None",
        "barriers_file": "str | None",
        "client": "str | None",
        "collectors_file": "str | None",
        "date": "str | None",
        "earthworks": "List | None",
        "ground": "Object | None",
        "orthophoto": "str | None",
        "paths": "str | None",
        "project": "str | None",
        "reference": "str | None",
        "repeat_at_cells_m": "List | None",
        "sweeps": "List | None",
        "version": "str | None",
        "wgs84_lines": "bool | None",
        "write_ascii_maps": "bool | None",
        "write_paths": "int | None",
        "write_rocks": "int | None",
        "write_rockyfor3d_maps": "bool | None",
    },
    total=False,
)
RockingKeys = TypedDict(
    "RockingKeys",
    {
        "angular_velocity_rad_s": "float | None",
        "author": "str | None",
        "base": "Object | None",
        "base_tilt_rad": "float | None",
        "client": "str | None",
        "date": "str | None",
        "engine": "str | None",
        "equation": "str | None",
        "friction_at_rest": "float | None",
        "gravity_m_s2": "float | None",
        "mass_kg": "float | None",
        "project": "str | None",
        "reference": "str | None",
        "restrainers": "List | None",
        "version": "str | None",
    },
    total=False,
)
RockingMapKeys = TypedDict(
    "RockingMapKeys",
    {
        "adaptive_stride": "int | None",
        "author": "str | None",
        "base": "Object | None",
        "client": "str | None",
        "date": "str | None",
        "engine": "str | None",
        "equation": "str | None",
        "friction_at_rest": "float | None",
        "gravity_m_s2": "float | None",
        "mass_kg": "float | None",
        "project": "str | None",
        "reference": "str | None",
        "restrainers": "List | None",
        "version": "str | None",
    },
    total=False,
)
FragilityKeys = TypedDict(
    "FragilityKeys",
    {
        "acceptable_probability": "float | None",
        "author": "str | None",
        "base": "Object | None",
        "both_polarities": "bool | None",
        "client": "str | None",
        "compared_intensities": "List | None",
        "damage_states": "List | None",
        "date": "str | None",
        "floor": "Object | None",
        "gravity_m_s2": "float | None",
        "hazard": "Object | None",
        "intensity": "Object | str | None",
        "mass_kg": "float | None",
        "mesh": "Object | None",
        "model_uncertainty": "float | None",
        "neighbour_height_m": "float | None",
        "project": "str | None",
        "records": "List | None",
        "reference": "str | None",
        "replicates": "int | None",
        "restrainers": "List | None",
        "space": "Object | None",
        "stack": "Object | None",
        "version": "str | None",
    },
    total=False,
)
AssessKeys = TypedDict(
    "AssessKeys",
    {
        "author": "str | None",
        "base": "Object | None",
        "client": "str | None",
        "date": "str | None",
        "factors": "Object | None",
        "floor": "Object | None",
        "gravity_m_s2": "float | None",
        "intensity": "Object | str | None",
        "mass_kg": "float | None",
        "mesh": "Object | None",
        "neighbour_height_m": "float | None",
        "project": "str | None",
        "records": "List | None",
        "reference": "str | None",
        "replicates": "int | None",
        "reserve": "Object | None",
        "restrainers": "List | None",
        "space": "Object | None",
        "version": "str | None",
    },
    total=False,
)
StackKeys = TypedDict(
    "StackKeys",
    {
        "author": "str | None",
        "base_restitution": "Object | None",
        "client": "str | None",
        "date": "str | None",
        "engine": "Object | None",
        "gravity_m_s2": "float | None",
        "project": "str | None",
        "reference": "str | None",
        "relative_rate_rad_s": "List | None",
        "relative_rotation_rad": "List | None",
        "restitution": "Object | None",
        "version": "str | None",
    },
    total=False,
)
BodyKeys = TypedDict(
    "BodyKeys",
    {
        "copies": "List | None",
        "poses_file": "str | None",
        "rolling_resistance_m": "float | None",
        "tumbled": "bool | None",
        "turn": "Object | None",
    },
    total=False,
)
BodiesKeys = TypedDict(
    "BodiesKeys",
    {
        "author": "str | None",
        "client": "str | None",
        "date": "str | None",
        "frames": "int | None",
        "gravity_m_s2": "List | None",
        "limit_analysis": "Object | None",
        "loads": "List | None",
        "pairs": "List | None",
        "project": "str | None",
        "reference": "str | None",
        "relative_to": "str | None",
        "removals": "List | None",
        "sample_s": "float | None",
        "stands_within_m": "float | None",
        "stop_at_rest": "Object | None",
        "ties": "List | None",
        "version": "str | None",
    },
    total=False,
)
