"""Wrong uses end in errors that say what was found and what is accepted."""

from __future__ import annotations

import importlib
import os
import re
from typing import Any

import klast
import mypy.api
import numpy as np
import pytest
from conftest import EXAMPLES
from klast import bodies, contact, rocking
from klast import rockfall as rf

MODULES = ("assembly", "bodies", "contact", "dask", "dem", "geometry", "plot", "rockfall", "rocking")


def scene(**keys: Any) -> dict[str, Any]:
    base = {"kind": "rocking", "block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}, "duration_s": 1.0}
    return {**base, **keys}


def slope(**keys: Any) -> rf.Rockfall:
    rock = rf.Rock("cube", volume_m3=1.0)
    source = rf.Source("cliff", rf.Release.point([0.0, 0.0]), 2, [rock])
    ground = rf.Material("rock", normal_restitution=0.4, friction=0.5)
    return rf.Rockfall(rf.Terrain.slope(30.0), [ground], [source], **keys)


def wrong_shape() -> None:
    contact.solve(np.eye(4), np.zeros(3), [0.5])


def turned_array() -> None:
    rf.Terrain.from_profile(np.zeros((2, 5)))


def wrong_dtype() -> None:
    rocking.Motion(np.array(["1", "2"]), 0.01, unit="g")


def complex_numbers() -> None:
    contact.solve_lcp(np.eye(2) * 1j, [1.0, 1.0])


def not_a_number() -> None:
    rocking.Motion([0.0, np.nan, 1.0], 0.01, unit="m_s2")


def not_a_number_in_a_scene() -> None:
    klast.run(scene(tilt_rad=float("nan")))


def unknown_unit() -> None:
    rocking.Motion([0.0, 1.0], 0.01, unit="gal")


def unit_in_the_key() -> None:
    klast.run({"kind": "rocking", "block": {"kind": "rectangle", "width_mm": 500, "height_m": 2.0}, "duration_s": 1.0})


def missing_crs() -> None:
    xarray = pytest.importorskip("xarray")
    rf.Terrain.from_xarray(
        xarray.DataArray(np.zeros((3, 3)), dims=("y", "x"), coords={"y": [2.0, 1.0, 0.0], "x": [0.0, 1.0, 2.0]})
    )


class Frame:
    """What a GeoDataFrame shows of itself."""

    def __init__(self, crs: Any) -> None:
        self.crs = crs
        self.geometry: list[Any] = []


def frame_without_crs() -> None:
    rf.Release.from_geodataframe(Frame(None))  # type: ignore[arg-type]


def frame_of_another_crs() -> None:
    rf.Release.from_geodataframe(Frame("EPSG:4326"), crs="EPSG:2056")  # type: ignore[arg-type]


def cells_that_are_not_square() -> None:
    xarray = pytest.importorskip("xarray")
    rf.Terrain.from_xarray(
        xarray.DataArray(np.zeros((3, 3)), dims=("y", "x"), coords={"y": [4.0, 2.0, 0.0], "x": [0.0, 1.0, 2.0]}),
        crs="EPSG:2056",
    )


def quaternion_not_of_length_one() -> None:
    world = bodies.World()
    world.material("stone", friction=0.5)
    world.add(bodies.box([1, 1, 1]), material="stone", quaternion_wxyz=[1, 1, 0, 0])


def unknown_material() -> None:
    bodies.World().add(bodies.box([1, 1, 1]), material="stone")


def negative_friction() -> None:
    contact.solve(np.eye(3), [-1.0, 0.0, 0.0], [-0.5])


def unknown_method() -> None:
    contact.solve(np.eye(3), [-1.0, 0.0, 0.0], [0.5], method="newton")


def seed_of_what_draws_nothing() -> None:
    klast.run(scene(), seed=3)


def part_of_what_has_no_parts() -> None:
    klast.run(scene(), shard=(1, 2))


def part_beyond_the_last() -> None:
    klast.run(EXAMPLES / "rockfall.json", shard=(3, 2))


def threads_of_none() -> None:
    klast.run(scene(), threads=0)


def seed_that_is_not_whole() -> None:
    klast.run(EXAMPLES / "rockfall.json", seed=1.5)  # type: ignore[arg-type]


def unknown_kind() -> None:
    klast.run({"kind": "rockfal"})


def missing_key() -> None:
    klast.run({"kind": "rocking", "duration_s": 1.0})


def an_object_that_is_no_scene() -> None:
    klast.run(3)  # type: ignore[arg-type]


def a_value_that_is_no_number() -> None:
    klast.run(scene(tilt_rad=object()))


def rocks_that_were_not_kept() -> None:
    slope().run().rocks  # noqa: B018


def rocks_of_another_kind() -> None:
    klast.run(scene(), keep="rocks")


def rocks_beside_a_folder() -> None:
    slope().run(keep="rocks", folder="never-made")


def files_beside_a_scene_file() -> None:
    klast.check(EXAMPLES / "rockfall.json", files={"rockfall-terrain.asc": b""})


def a_folder_beside_a_scene_file() -> None:
    klast.check(EXAMPLES / "rockfall.json", base="/")


def a_column_that_is_not_there() -> None:
    plot = pytest.importorskip("klast.plot")
    plot.history(klast.run(scene(tilt_rad=0.1)), "rotation_deg")


def a_rock_that_is_not_there() -> None:
    slope().run().path(2)


def a_time_after_the_end() -> None:
    slope().run().path(0).position(1e9)


def scales_that_do_not_broadcast() -> None:
    rocking.rock_many([0.5, 0.6], [2.0, 2.0], motions=rocking.Motion.rest(), scale=[1.0, 2.0, 3.0], duration_s=1.0)


def a_motion_that_is_not_there() -> None:
    rocking.rock_many(0.5, 2.0, motions=rocking.Motion.rest(), motion=1, duration_s=1.0)


def a_body_added_after_a_step() -> None:
    world = bodies.World()
    world.material("stone", friction=0.5)
    world.add(bodies.box([1, 1, 1]), material="stone")
    world.step()
    world.add(bodies.box([1, 1, 1]), material="stone")


def a_distribution_that_is_not_ours() -> None:
    stats = pytest.importorskip("scipy.stats")
    rf.Rockfall(
        rf.Terrain.slope(30.0), [rf.Material("a", normal_restitution=stats.cauchy(0, 1), friction=0.5)], []
    ).check()


WRONG = [
    (wrong_shape, r"W: shape \(4, 4\); accepted: \(3, 3\)"),
    (turned_array, r"points_m: shape \(2, 5\); accepted: \(N, 2\)"),
    (wrong_dtype, r"acceleration: dtype <U1; accepted: real numbers"),
    (complex_numbers, r"M: dtype complex128; accepted: real numbers"),
    (not_a_number, r"acceleration: nan at \[1\] \(1 in all\); accepted: finite"),
    (not_a_number_in_a_scene, r"tilt_rad: nan; accepted: a finite number"),
    (unknown_unit, r"unit: 'gal'; accepted: m_s2, g, cm_s2, mm_s2"),
    (unit_in_the_key, r"unknown key `width_mm`.*nearest known: `width_m`"),
    (missing_crs, r"no CRS; accepted: crs='EPSG"),
    (frame_without_crs, r"no CRS; accepted: one with it \(set_crs"),
    (frame_of_another_crs, r"CRS EPSG:4326; accepted: that of the terrain, EPSG:2056 \(to_crs"),
    (cells_that_are_not_square, r"cells of 1.0 by 2.0 m; accepted: square"),
    (quaternion_not_of_length_one, r"quaternion_wxyz: length 1.41\d*; accepted: 1 \(w first"),
    (unknown_material, r"material: 'stone'; accepted: none yet"),
    (negative_friction, r"-0.5.*accepted|accepted.*-0.5|friction.*-0.5"),
    (unknown_method, r"method: 'newton'; accepted: admm-newton, gauss-seidel, admm"),
    (seed_of_what_draws_nothing, r"seed: .*draws nothing.*accepted: None"),
    (part_of_what_has_no_parts, r"shard: .*in one piece; accepted: None"),
    (part_beyond_the_last, r"shard: \(3, 2\); accepted: \(k, n\)"),
    (threads_of_none, r"threads: 0; accepted: a whole number from 1"),
    (seed_that_is_not_whole, r"seed: 1.5; accepted: a whole number from 0"),
    (unknown_kind, r"unknown kind 'rockfal'; nearest known: rockfall; accepted: "),
    (missing_key, r"`block` is missing"),
    (an_object_that_is_no_scene, r"scene: a int; accepted: a dictionary, a path"),
    (a_value_that_is_no_number, r"tilt_rad: a object; accepted: numbers"),
    (rocks_that_were_not_kept, r"rocks: not kept; accepted: results of run\(..., keep='rocks'\)"),
    (rocks_of_another_kind, r"keep: 'rocks' of a scene of kind 'rocking'; accepted: a scene of kind 'rockfall'"),
    (rocks_beside_a_folder, r"keep: 'rocks' of a run with a folder; accepted: .*without a folder"),
    (files_beside_a_scene_file, r"files: beside the scene file .*rockfall.json; accepted: None"),
    (a_folder_beside_a_scene_file, r"base: beside the scene file .*rockfall.json; accepted: None"),
    (a_column_that_is_not_there, r"column: 'rotation_deg'; accepted: time_s, .*rotation_rad"),
    (a_rock_that_is_not_there, r"rock: 2; accepted: 0 to 1"),
    (a_time_after_the_end, r"t: .* s; accepted: 0 to "),
    (scales_that_do_not_broadcast, r"scale \(3,\).*accepted: shapes that numpy broadcasts"),
    (a_motion_that_is_not_there, r"motion: 1; accepted: 0 to 0"),
    (a_body_added_after_a_step, r"the world is built.*accepted: add first"),
    (a_distribution_that_is_not_ours, r"scipy.stats.cauchy; accepted: norm"),
]


@pytest.mark.parametrize(("use", "said"), WRONG, ids=[use.__name__ for use, _ in WRONG])
def test_a_wrong_use_says_what_was_found_and_what_is_accepted(use: Any, said: str) -> None:
    with pytest.raises(ValueError, match=f"(?s){said}"):
        use()


def misspelt(key: str) -> dict[str, Any]:
    return {key: 1.0}


@pytest.mark.parametrize(
    ("call", "key", "meant"),
    [
        (lambda k: rocking.rock(rocking.Block(0.5, 2.0), duration_s=1.0, **k), "gravty_m_s2", "gravity_m_s2"),
        (lambda k: rocking.rock(rocking.Block(0.5, 2.0), duration_s=1.0, **k), "frction", "friction"),
        (lambda k: rf.Material("scree", **k), "drag_per", "drag_per_s"),
        (lambda k: rf.Rock("cube", **k), "volume", "volume_m3"),
        (lambda k: rf.Barrier("net", [[0, 0], [0, 1]], height_m=1, capacity_kj=1, **k), "flexibl", "flexible"),
        (lambda k: slope(**k), "map_cel_m", "map_cell_m"),
        (lambda k: bodies.World(step_s=0.01).run(1.0, **k), "stands_within", "stands_within_m"),
    ],
)
def test_a_misspelt_key_is_refused_at_the_call(call: Any, key: str, meant: str) -> None:
    with pytest.raises(TypeError) as raised:
        call(misspelt(key))
    assert {key, meant} <= set(re.findall(r"'(\w+)'", str(raised.value)))


def test_a_misspelt_key_is_no_type() -> None:
    text = "from klast import rocking\nrocking.rock(rocking.Block(0.5, 2.0), duration_s=1.0, {}=9.81)\n"
    wrong = {key: mypy.api.run(["--strict", "--cache-dir", os.devnull, "-c", text.format(key)])[2] for key in KEYS}
    assert wrong == {"gravity_m_s2": 0, "gravty_m_s2": 1}


KEYS = ("gravity_m_s2", "gravty_m_s2")


@pytest.mark.parametrize("name", ["klast", *(f"klast.{module}" for module in MODULES)])
def test_dir_has_public_names_alone(name: str) -> None:
    module = importlib.import_module(name)
    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, public) for public in module.__all__)
