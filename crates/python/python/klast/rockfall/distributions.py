"""Numbers that are drawn: distributions of ours, and frozen ones of scipy.stats."""

from __future__ import annotations

from typing import Any, Union

from .._parts import Part
from .._scipy import keys_of

Number = Union[float, "Distribution", Any]


class Distribution(Part):
    """A distribution in the unit of its key. It is truncated at `min` and `max` if these are given."""

    def __init__(self, family: str, parameters: Any, *, min: float | None = None, max: float | None = None) -> None:
        super().__init__({family: parameters, "min": min, "max": max})


def normal(mean: float, sd: float, **cut: float) -> Distribution:
    """A normal distribution with a mean and a standard deviation. `cut` is `min` and `max`."""
    return Distribution("normal", [mean, sd], **cut)


def uniform(lower: float, upper: float, **cut: float) -> Distribution:
    """A uniform distribution between two ends."""
    return Distribution("uniform", [lower, upper], **cut)


def triangular(lower: float, mode: float, upper: float, **cut: float) -> Distribution:
    """A triangular distribution with two ends and a mode."""
    return Distribution("triangular", [lower, mode, upper], **cut)


def lognormal(mean: float, sd: float, **cut: float) -> Distribution:
    """A lognormal distribution with the mean and the standard deviation of the value, not of its logarithm."""
    return Distribution("lognormal", [mean, sd], **cut)


def exponential(mean: float, **cut: float) -> Distribution:
    """An exponential distribution with a mean."""
    return Distribution("exponential", mean, **cut)


def beta(alpha: float, beta: float, lower: float, upper: float, **cut: float) -> Distribution:
    """A beta distribution with the parameters alpha and beta between two ends."""
    return Distribution("beta", [alpha, beta, lower, upper], **cut)


def gamma(shape: float, scale: float, **cut: float) -> Distribution:
    """A gamma distribution with a shape and a scale."""
    return Distribution("gamma", [shape, scale], **cut)


def distribution(frozen: Any, field: str = "distribution") -> Distribution:
    """A frozen distribution of scipy.stats as a distribution of klast. `field` is the name that error messages use."""
    keys = keys_of(frozen, field)
    cut = {end: keys.pop(end) for end in ("min", "max") if end in keys}
    ((family, parameters),) = keys.items()
    return Distribution(family, parameters, **cut)
