"""A statue in a museum: at which scale of some motions it rocks and falls."""

from __future__ import annotations

import math

import numpy as np
from klast import rocking


def main() -> None:
    statue = rocking.Block(0.4, 1.6)
    motions = [rocking.Motion.waves(1.0, f, phase_rad=p) for f, p in ((0.8, 0.0), (1.0, 0.6), (1.3, 0.0), (1.6, 1.5))]
    scales = np.linspace(1.0, 15.0, 29)
    table = rocking.rock_many(
        0.4,
        1.6,
        motions=motions,
        motion=np.arange(len(motions))[:, np.newaxis],
        scale=scales,
        duration_s=15.0,
    )
    for k, row in enumerate(table):
        least = scales[row["overturned"]]
        print(f"motion {k}: falls from {least[0]:.1f} m/s²" if len(least) else f"motion {k}: stands")
    wave = rocking.Motion.waves(4.0, 1.0)
    outcome = rocking.rock(statue, wave, duration_s=15.0, friction=0.5)
    print(outcome.sentence)
    print(f"largest rotation {outcome['history']['rotation_rad'].max() / math.atan(0.25):.2f} of the slenderness")


if __name__ == "__main__":
    main()
