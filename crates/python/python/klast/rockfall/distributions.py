"""Numbers that are drawn: distributions of ours, and frozen ones of scipy.stats."""

from __future__ import annotations

import math
from typing import Any, Union

from ..scene import Part

Number = Union[float, "Distribution", Any]


class Distribution(Part):
    """A distribution in the unit of the key it stands under, cut at `min` and `max` where they are given."""

    def __init__(self, family: str, parameters: Any, *, min: float | None = None, max: float | None = None) -> None:
        super().__init__({family: parameters, "min": min, "max": max})


def normal(mean: float, sd: float, **cut: float) -> Distribution:
    """Normal by mean and standard deviation."""
    return Distribution("normal", [mean, sd], **cut)


def uniform(lower: float, upper: float, **cut: float) -> Distribution:
    """Uniform between two ends."""
    return Distribution("uniform", [lower, upper], **cut)


def triangular(lower: float, mode: float, upper: float, **cut: float) -> Distribution:
    """Triangular by its ends and its mode."""
    return Distribution("triangular", [lower, mode, upper], **cut)


def lognormal(mean: float, sd: float, **cut: float) -> Distribution:
    """Lognormal by mean and standard deviation of the variable itself."""
    return Distribution("lognormal", [mean, sd], **cut)


def exponential(mean: float, **cut: float) -> Distribution:
    """Exponential by its mean."""
    return Distribution("exponential", mean, **cut)


def beta(alpha: float, beta: float, lower: float, upper: float, **cut: float) -> Distribution:
    """Beta between two ends."""
    return Distribution("beta", [alpha, beta, lower, upper], **cut)


def gamma(shape: float, scale: float, **cut: float) -> Distribution:
    """Gamma by shape and scale."""
    return Distribution("gamma", [shape, scale], **cut)


def distribution(frozen: Any, field: str = "distribution") -> Distribution:
    """A frozen distribution of scipy.stats as one of ours."""
    name = frozen.dist.name
    shapes, loc, scale = frozen.dist._parse_args(*frozen.args, **frozen.kwds)
    shapes, loc, scale = [float(s) for s in shapes], float(loc), float(scale)
    at_zero = name in ("lognorm", "expon", "gamma")
    if at_zero and loc != 0.0:
        raise ValueError(f"{field}: scipy.stats.{name} with loc {loc}; accepted: loc 0")
    if name == "norm":
        return normal(loc, scale)
    if name == "truncnorm":
        return normal(loc, scale, min=loc + scale * shapes[0], max=loc + scale * shapes[1])
    if name == "uniform":
        return uniform(loc, loc + scale)
    if name == "triang":
        return triangular(loc, loc + shapes[0] * scale, loc + scale)
    if name == "lognorm":
        mean = scale * math.exp(0.5 * shapes[0] ** 2)
        return lognormal(mean, mean * math.sqrt(math.expm1(shapes[0] ** 2)))
    if name == "expon":
        return exponential(scale)
    if name == "gamma":
        return gamma(shapes[0], scale)
    if name == "beta":
        return beta(shapes[0], shapes[1], loc, loc + scale)
    accepted = "norm, truncnorm, uniform, triang, lognorm, expon, gamma, beta"
    raise ValueError(f"{field}: scipy.stats.{name}; accepted: {accepted}")
