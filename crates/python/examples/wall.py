"""Stones on one another: does the wall stand, and what does each joint carry?"""

from __future__ import annotations

import numpy as np
from klast import bodies


def wall(courses: int = 4) -> bodies.World:
    """A small wall in running bond."""
    world = bodies.World(step_s=2e-3)
    world.material("stone", friction=0.6, density_kg_m3=2500.0)
    world.add_plane([0, 0, 1], material="stone")
    for course in range(courses):
        for k in range(3 - course % 2):
            x = 0.6 * k + 0.3 * (course % 2)
            world.add(bodies.box([0.59, 0.3, 0.2]), material="stone", at_m=[x, 0, 0.1 + 0.2 * course])
    return world


def main() -> None:
    world = wall()
    start = world.positions.copy()
    world.step(n=100)
    moved = np.abs(world.positions - start).max()
    print(f"after {world.time_s:.2f} s: moved {moved:.1e} m, residual {world.residual:.1e}")
    ground = world.contacts[world.contacts["second"] == -1]
    carried = ground["impulse_n_s"][:, 2].sum() / 2e-3
    print(f"the ground carries {carried:.1f} N of {9.81 * world.mass_kg.sum():.1f} N")
    print(world.run(0.2, stands_within_m=0.01, frames=2).sentence)


if __name__ == "__main__":
    main()
