"""A road under a slope: which barrier stops the rocks, and where the others come to rest."""

from __future__ import annotations

import numpy as np
from klast import rockfall as rf


def slope() -> rf.Terrain:
    """A ramp of 35 degrees that runs out on a level, in cells of 2 m."""
    x = 2.0 * np.arange(80) + 1.0
    heights = np.tile(np.maximum(70.0 - 0.7 * x, 0.0), (50, 1))
    return rf.Terrain.from_array(heights, cell_m=2.0, corner_m=(0.0, 0.0), crs="EPSG:2056", vertical_resolution_m=0.01)


def scene(rocks: int = 200) -> rf.Rockfall:
    """Cubes from a line at the top; a net at the foot of the slope, a road behind it."""
    scree = rf.Material(
        "scree",
        normal_restitution=rf.normal(0.35, 0.05, min=0.2, max=0.5),
        friction=rf.normal(0.6, 0.05, min=0.4, max=0.8),
    )
    cube = rf.Rock("cube", volume_m3=rf.lognormal(0.5, 0.2, min=0.1, max=2.0))
    cliff = rf.Source("cliff", rf.Release.line([[2.0, 20.0], [2.0, 80.0]]), rocks, [cube], height_m=2.0)
    return rf.Rockfall(
        slope(),
        [scree],
        [cliff],
        barriers=[rf.Barrier("net", [[102.0, 2.0], [102.0, 98.0]], height_m=3.0, capacity_kj=500.0)],
        collectors=[rf.Collector("road", [[120.0, 2.0], [120.0, 98.0]])],
        map_cell_m=4.0,
        write_trajectories=10,
        seed=1,
    )


def main() -> None:
    results = scene().run(keep="rocks")
    for row in results["barriers"]:
        print(f"{row['name']}: {row['arrived']} rocks, 95 % energy {row['energy_95_kj']:.0f} kJ")
    rocks = results.rocks
    print(f"median runout {np.median(rocks['runout_m']):.1f} m")
    path = results.path(0)
    print(f"rock 0: {path.outcome} after {path.duration_s:.2f} s at {np.round(path.position(path.duration_s), 2)}")


if __name__ == "__main__":
    main()
