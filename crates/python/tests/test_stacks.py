"""One instant of a stack against closed forms."""

from __future__ import annotations

import math

import pytest
from klast.rocking import Stack

ONE = Stack([(0.5, 2.0, 1000.0)])


def test_a_block_lifts_off_at_g_times_its_slenderness() -> None:
    bound = 9.81 * 0.5 / 2.0
    assert ONE.openings((0.999 * bound, 0.0)) == "rest"
    assert ONE.openings((1.001 * bound, 0.0)) == "L"
    assert ONE.openings((-1.001 * bound, 0.0)) == "R"
    # Upward acceleration of the base is more weight.
    assert ONE.openings((1.001 * bound, 0.1)) == "rest"


def test_an_impact_of_one_block_is_that_of_housner() -> None:
    settled = ONE.impact(0, [1e-3], [-0.4])
    ratio = 1.0 - 1.5 * math.sin(math.atan2(0.5, 2.0)) ** 2
    assert settled["admissible"]
    assert settled["rates_rad_s"][0] == pytest.approx(-0.4 * ratio, rel=1e-12)
    before, after = settled["energy_j"]
    assert after / before == pytest.approx(ratio**2, rel=1e-12)
    # A rotation of exactly zero comes from the side that its rate leaves.
    assert ONE.impact(0, [0.0], [-0.4]) == settled


def test_two_equal_blocks_shut_as_one_by_the_same_ratio() -> None:
    two = Stack([(0.5, 1.0, 500.0), (0.5, 1.0, 500.0)])
    settled = two.impact(0, [1e-3, 1e-3], [-0.4, -0.4])
    assert settled["configuration"] in ("3a", "3b") and settled["admissible"]


def test_rotations_that_are_too_many_are_refused() -> None:
    with pytest.raises(ValueError):
        ONE.impact(0, [0.0, 0.0], [0.4, 0.4])
    with pytest.raises(ValueError):
        ONE.impact(3, [0.0], [0.4])
