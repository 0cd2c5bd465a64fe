"""Rockfall from arrays and frames: the same scene, exact paths, maps with their place."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import klast
import numpy as np
import pyproj
import pytest
from conftest import EXAMPLES
from klast import rockfall as rf


def scene(terrain: rf.Terrain | None = None, **keys: object) -> rf.Rockfall:
    rock = rf.Rock("cube", volume_m3=rf.lognormal(0.5, 0.2, min=0.1, max=2.0))
    source = rf.Source("cliff", rf.Release.line([[1.0, 5.0], [1.0, 15.0]]), 40, [rock], height_m=2.0)
    ground = rf.Material("rock", normal_restitution=rf.normal(0.35, 0.05, min=0.1, max=0.6), friction=0.6)
    return rf.Rockfall(terrain or ramp(), [ground], [source], seed=3, **keys)  # type: ignore[arg-type]


def heights() -> np.ndarray:
    """A ramp of 35 degrees that ends on a level, rows from north to south."""
    x = np.arange(60.0)
    return np.tile(np.maximum(30.0 - 0.7 * x, 0.0), (21, 1))


def ramp() -> rf.Terrain:
    return rf.Terrain.from_array(heights(), cell_m=1.0, corner_m=(0.0, 0.0), crs="EPSG:2056")


def test_a_scene_goes_to_json_and_back(tmp_path: Path) -> None:
    made = scene(map_cell_m=2.0, collectors=[rf.Collector("road", [[45.0, 1.0], [45.0, 19.0]])])
    text = made.to_json(tmp_path)
    read = rf.Rockfall.from_json(tmp_path / "scene.json")
    assert json.loads(text) == read.to_dict()
    a, b = made.run(), read.run()
    assert all(a.read(f) == b.read(f) for f in a.files)
    example = rf.Rockfall.from_json(EXAMPLES / "rockfall.json")
    assert example.to_dict() == json.loads((EXAMPLES / "rockfall.json").read_text())
    assert "300 rocks" in example.check()


def test_array_xarray_and_file_are_the_same_ground(tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    z = heights()
    x, y = np.arange(60.0) + 0.5, np.arange(21.0) + 0.5
    north_first = xarray.DataArray(z, dims=("y", "x"), coords={"y": y[::-1], "x": x}, attrs={"crs": "EPSG:2056"})
    turned = north_first.transpose("x", "y").isel(y=slice(None, None, -1))
    lines = ["ncols 60", "nrows 21", "xllcorner 0", "yllcorner 0", "cellsize 1"]
    lines += [" ".join(repr(float(v)) for v in row) for row in z]
    (tmp_path / "z.asc").write_text("\n".join(lines) + "\n")
    grounds = [
        ramp(),
        rf.Terrain.from_xarray(north_first),
        rf.Terrain.from_xarray(turned),
        rf.Terrain.from_raster(tmp_path / "z.asc", crs="EPSG:2056", vertical_resolution_m=1e-9),
    ]
    ends = [scene(ground).run(keep="rocks").rocks["end_m"] for ground in grounds]
    for end in ends[1:]:
        assert np.array_equal(end, ends[0])


def test_a_mesh_of_arrays_is_a_ground() -> None:
    vertices = np.array([[0, 0, 30], [60, 0, 0], [60, 20, 0], [0, 20, 30.0]])
    ground = rf.Terrain.from_mesh(vertices, [[0, 1, 2], [0, 2, 3]], crs="EPSG:2056")
    results = scene(ground).run()
    assert results.summary["seeded"] == 40
    assert results.crs == "EPSG:2056"


def test_paths_are_those_of_the_run() -> None:
    results = scene(write_trajectories=5).run(keep="rocks")
    rocks = results.rocks
    paths = results.paths(range(40))
    for rock, path in zip(rocks, paths):
        assert path.outcome == rock["outcome"]
        assert np.array_equal(path.position(0.0), rock["start_m"])
        # A step on the ground ends where the ground has put the rock, which its arc misses by far less than a
        # millimetre in plan. Contact leaves a rock up to a hundredth of its radius in the ground, and one that comes
        # to rest is lifted out: the radius of a cube of 2 m³, the largest, is 1.1 m.
        miss = np.abs(path.position(path.duration_s) - rock["end_m"])
        assert miss[:2].max() < 1e-3 and miss[2] < 1.1e-2
    table = results["trajectories"]
    for number in range(5):
        rows = table[table["rock"] == number]
        path = paths[number]
        inside = rows["time_s"] <= path.duration_s
        found = path.position(rows["time_s"][inside])
        expected = np.stack([rows[c][inside] for c in ("x_m", "y_m", "z_m")], axis=1)
        # The table has tenths of a millimetre and millionths of a second, at speeds under 50 m/s.
        assert np.abs(found - expected).max() < 0.5e-4 + 0.5e-6 * 50.0
        energies = path.energy_kj(np.linspace(0.0, path.duration_s, 50))
        assert (energies >= 0.0).all()


def test_free_fall_is_exact() -> None:
    rock = rf.Rock("sphere", volume_m3=1.0)
    source = rf.Source("drop", rf.Release.point([0.0, 0.0]), 1, [rock], height_m=100.0, upright=True)
    ground = rf.Material("rock", normal_restitution=0.0, friction=0.5)
    path = rf.Rockfall(rf.Terrain.slope(0.0), [ground], [source], engine=rf.LumpedMass()).run().path(0)
    t = np.linspace(0.0, 4.0, 9)
    z = path.position(t)[:, 2]
    assert np.abs(z - (z[0] - 0.5 * 9.81 * t**2)).max() < 1e-12
    assert np.abs(path.velocity(t)[:, 2] + 9.81 * t).max() < 1e-12


def test_maps_have_their_place() -> None:
    results = scene(map_cell_m=2.0, write_ascii_maps=True).run(keep="rocks")
    maps, extent = results.maps, results.map_extent_m
    assert extent is not None
    west, east, south, north = extent
    raster = results.read("reach_probability.asc").decode().splitlines()
    head = {line.split()[0].lower(): float(line.split()[1]) for line in raster[:6]}
    assert (west, south) == (head["xllcorner"], head["yllcorner"])
    printed = np.array([[float(v) for v in line.split()] for line in raster[6:]])
    reach = maps["reach_probability"]
    assert np.array_equal(np.where(np.isnan(reach), -9999.0, reach), printed)
    dataset = results.to_xarray()
    assert dataset.attrs["crs"] == "EPSG:2056"
    # Each map says where it lies, by the conventions of CF, which rioxarray's `rio.crs` follows.
    told = dataset.coords[dataset["reach_probability"].attrs["grid_mapping"]].attrs
    assert pyproj.CRS.from_cf(told).to_epsg() == 2056
    assert float(dataset["y"][0]) == north - 1.0 and float(dataset["x"][0]) == west + 1.0
    assert east - west == 2.0 * reach.shape[1]
    stopped = results.rocks[results.rocks["outcome"] == "stopped"]["end_m"]
    column = ((stopped[:, 0] - west) / 2.0).astype(int)
    row = ((north - stopped[:, 1]) / 2.0).astype(int)
    counted = np.zeros(reach.shape)
    np.add.at(counted, (row, column), 1.0)
    assert np.array_equal(np.nan_to_num(maps["deposition"]), counted)


def test_collectors_after_the_run_are_those_of_a_run_with_them() -> None:
    road = rf.Collector("road", [[45.0, 1.0], [45.0, 19.0]])
    late = scene().run().collect(road)
    early = scene(collectors=[road]).run()
    assert late.read("barriers.csv") == early.read("barriers.csv")
    value, low, high = late.quantile("road", "energy_kj", 50)
    assert low <= value and (np.isnan(high) or value <= high)


def test_frozen_distributions_of_scipy_become_ours() -> None:
    stats = pytest.importorskip("scipy.stats")
    pairs = [
        (stats.norm(2.0, 0.5), rf.normal(2.0, 0.5)),
        (stats.uniform(loc=1.0, scale=2.0), rf.uniform(1.0, 3.0)),
        (stats.triang(0.25, loc=1.0, scale=4.0), rf.triangular(1.0, 2.0, 5.0)),
        (stats.expon(scale=3.0), rf.exponential(3.0)),
        (stats.gamma(2.0, scale=0.5), rf.gamma(2.0, 0.5)),
        (stats.beta(2.0, 3.0, loc=1.0, scale=2.0), rf.beta(2.0, 3.0, 1.0, 3.0)),
        (stats.truncnorm(-1.0, 2.0, loc=3.0, scale=0.5), rf.normal(3.0, 0.5, min=2.5, max=4.0)),
    ]
    for theirs, ours in pairs:
        assert rf.distribution(theirs) == ours
    mean, sd = rf.distribution(stats.lognorm(0.4, scale=2.0)).to_dict()["lognormal"]
    assert mean == pytest.approx(stats.lognorm(0.4, scale=2.0).mean(), rel=1e-12)
    assert sd == pytest.approx(stats.lognorm(0.4, scale=2.0).std(), rel=1e-12)


def test_frames_have_the_crs() -> None:
    geopandas = pytest.importorskip("geopandas")
    from shapely.geometry import LineString, Point, Polygon

    crs = "EPSG:2056"
    lines = geopandas.GeoDataFrame(
        {"name": ["net"], "height_m": [3.0], "capacity_kj": [500.0]},
        geometry=[LineString([(40, 1), (40, 19)])],
        crs=crs,
    )
    points = geopandas.GeoDataFrame(geometry=[Point(2, 8), Point(2, 12)], crs=crs)
    areas = geopandas.GeoDataFrame(
        {"material": ["soil"]}, geometry=[Polygon([(45, 0), (60, 0), (60, 21), (45, 21)])], crs=crs
    )
    rock = rf.Rock("cube", volume_m3=0.5)
    materials = [
        rf.Material("rock", normal_restitution=0.4, friction=0.5),
        rf.Material("soil", normal_restitution=0.1, friction=0.9),
    ]
    made = rf.Rockfall(
        ramp(),
        materials,
        [rf.Source("cliff", rf.Release.from_geodataframe(points, crs=crs), 20, [rock], height_m=1.0)],
        layout=rf.Layout.polygons(areas, elsewhere="rock", crs=crs),
        barriers=rf.Barrier.from_geodataframe(lines, crs=crs),
        write_trajectories=3,
    )
    results = made.run(keep="rocks")
    for what in ("trajectories", "barriers", "rocks"):
        frame = results.to_geopandas(what)
        assert frame.crs == crs and len(frame)
    with pytest.raises(ValueError, match=r"CRS EPSG:4326; accepted: that of the terrain"):
        rf.Release.from_geodataframe(points.to_crs("EPSG:4326"), crs=crs)


def test_every_key_of_the_scene_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "starts.csv").write_text("x_m,y_m\n1,9\n1,10\n1,11\n")
    source = rf.Source("cliff", rf.Release.starts("starts.csv"), shapes=[rf.Rock("cube", volume_m3=0.5)], height_m=1.0)
    ground = rf.Material(
        "forest",
        normal_restitution=0.3,
        friction=0.7,
        restitution_by_speed={"half_speed_m_s": 5.0},
        drag_per_s=0.5,
        drag_height_m=0.4,
    )
    net = rf.Barrier("net", [[40.0, 1.0], [40.0, 19.0]], height_m=2.0, capacity_kj=100.0, space_behind_m=1.5)
    made = rf.Rockfall(ramp(), [ground], [source], barriers=[net], write_rocks=2, base=tmp_path)
    keys = made.to_dict()
    assert keys["write_rocks"] == 2 and keys["barriers"][0]["space_behind_m"] == 1.5
    assert keys["materials"][0]["drag_per_s"] == 0.5 and "rocks" not in keys["sources"][0]
    results = made.run()
    assert results.summary["seeded"] == 3 and len(results["rocks"]) == 2
    other = {"name": "a", "line_m": [[0, 0], [0, 1]], "height_m": 1, "capacity_kj": 1, "space_m": 1}
    with pytest.raises(ValueError, match="unknown key `space_m`"):
        rf.Rockfall(ramp(), [ground], [source], barriers=[other], base=tmp_path).check()


def test_a_map_of_no_system_is_local() -> None:
    xarray = pytest.importorskip("xarray")
    axes = {"y": [2.0, 1.0, 0.0], "x": [0.0, 1.0, 2.0]}
    flat = xarray.DataArray(np.zeros((3, 3)), dims=("y", "x"), coords=axes, attrs={"crs": "local"})
    assert rf.Terrain.from_xarray(flat).crs == "local"


def test_words_stay_words() -> None:
    named = scene(collectors=[rf.Collector("007", [[45.0, 1.0], [45.0, 19.0]])]).run()
    assert named["barriers"]["name"].tolist() == ["007"]
    rows = list(csv.DictReader(io.StringIO(named.read("barriers.csv").decode())))
    assert rows[0]["name"] == "007"
    assert klast.Outcome is type(named).__mro__[1]
