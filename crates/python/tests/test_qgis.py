"""The Processing provider of QGIS, without a window: its maps are the program's. Needs `qgis_process`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import EXAMPLES, ROOT

CRS = "EPSG:2056"
# Debian's script hands options of the window to the program, which knows none.
QGIS = shutil.which("qgis_process.bin") or shutil.which("qgis_process")


@pytest.fixture(scope="module")
def qgis(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a QGIS that knows the plugin and nothing of the user's."""
    assert QGIS, "qgis_process: not there; accepted: QGIS 3.22 or newer (apt-get install qgis python3-qgis)"
    environment = {
        **{k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")},
        "QGIS_PLUGINPATH": str(ROOT / "crates" / "python" / "qgis"),
        "QGIS_CUSTOM_CONFIG_PATH": str(tmp_path_factory.mktemp("profile")),
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "C.UTF-8",
        # QGIS runs the Python that it was built with.
        "PATH": "/usr/bin:/bin",
    }
    subprocess.run([QGIS, "plugins", "enable", "klast"], env=environment, check=True, capture_output=True)
    return environment


def process(environment: dict[str, str], given: dict[str, object]) -> subprocess.CompletedProcess[str]:
    assert QGIS
    command = [QGIS, "run", "klast:rockfall", "--", *(f"{key}={value}" for key, value in given.items())]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def layers(folder: Path) -> tuple[Path, Path, Path]:
    """The example's layers with their CRS: heights, sources, barriers."""
    from pyproj import CRS as Crs

    heights = folder / "rockfall-terrain.asc"
    shutil.copy(EXAMPLES / heights.name, heights)
    heights.with_suffix(".prj").write_text(Crs(CRS).to_wkt("WKT1_ESRI"))
    named = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}}
    release = json.loads((EXAMPLES / "rockfall-release.geojson").read_text())
    sources = folder / "sources.geojson"
    sources.write_text(json.dumps({"type": "FeatureCollection", "features": [release], "crs": named}))
    net = json.loads((EXAMPLES / "rockfall.json").read_text())["barriers"][0]
    geometry = {"type": "LineString", "coordinates": net.pop("line_m")}
    barrier = {"type": "Feature", "properties": net, "geometry": geometry}
    barriers = folder / "barriers.geojson"
    barriers.write_text(json.dumps({"type": "FeatureCollection", "features": [barrier], "crs": named}))
    return heights, sources, barriers


def test_the_maps_of_qgis_are_those_of_the_program(qgis: dict[str, str], program: str, tmp_path: Path) -> None:
    heights, sources, barriers = layers(tmp_path)
    given = {
        "DEM": heights,
        "SOURCES": sources,
        "BARRIERS": barriers,
        "SCENE": EXAMPLES / "rockfall.json",
        "ROCKS": 300,
        "CELL": 5,
        "SEED": json.loads((EXAMPLES / "rockfall.json").read_text())["seed"],
        "PROGRAM": program,
        "OUTPUT": tmp_path / "out",
    }
    done = process(qgis, given)
    assert done.returncode == 0, done.stdout + done.stderr
    one = tmp_path / "one"
    subprocess.run([program, "run", str(EXAMPLES / "rockfall.json"), "--out", str(one), "--quiet"], check=True)
    rasters = sorted(path.name for path in one.glob("*.tif"))
    assert len(rasters) > 10 and "ENERGY_95" in done.stdout
    for name in rasters:
        assert (one / name).read_bytes() == (tmp_path / "out" / "results" / name).read_bytes(), name


def test_a_layer_of_another_crs_is_refused(qgis: dict[str, str], program: str, tmp_path: Path) -> None:
    heights, sources, _ = layers(tmp_path)
    sources.write_text((EXAMPLES / "rockfall-release.geojson").read_text())
    given = {"DEM": heights, "SOURCES": sources, "PROGRAM": program, "OUTPUT": tmp_path / "out"}
    done = process(qgis, given)
    assert done.returncode != 0
    assert "SOURCES: CRS EPSG:4326; accepted: that of the heights, EPSG:2056" in done.stdout + done.stderr
