"""Frozen distributions of scipy.stats, without loading scipy."""

from __future__ import annotations

import math
from typing import Any


def keys_of(frozen: Any, field: str) -> dict[str, Any]:
    """The keys that a frozen distribution of scipy.stats has in a scene."""
    name = frozen.dist.name
    shapes, loc, scale = frozen.dist._parse_args(*frozen.args, **frozen.kwds)
    shapes, loc, scale = [float(s) for s in shapes], float(loc), float(scale)
    at_zero = name in ("lognorm", "expon", "gamma")
    if at_zero and loc != 0.0:
        raise ValueError(f"{field}: scipy.stats.{name} with loc {loc}; accepted: loc 0")
    if name == "norm":
        return {"normal": [loc, scale]}
    if name == "truncnorm":
        return {"normal": [loc, scale], "min": loc + scale * shapes[0], "max": loc + scale * shapes[1]}
    if name == "uniform":
        return {"uniform": [loc, loc + scale]}
    if name == "triang":
        return {"triangular": [loc, loc + shapes[0] * scale, loc + scale]}
    if name == "lognorm":
        mean = scale * math.exp(0.5 * shapes[0] ** 2)
        return {"lognormal": [mean, mean * math.sqrt(math.expm1(shapes[0] ** 2))]}
    if name == "expon":
        return {"exponential": scale}
    if name == "gamma":
        return {"gamma": [shapes[0], scale]}
    if name == "beta":
        return {"beta": [shapes[0], shapes[1], loc, loc + scale]}
    accepted = "norm, truncnorm, uniform, triang, lognorm, expon, gamma, beta"
    raise ValueError(f"{field}: scipy.stats.{name}; accepted: {accepted}")
