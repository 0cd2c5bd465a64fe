"""Two convex bodies against closed forms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from klast import geometry
from numpy.typing import NDArray


def box(size: tuple[float, float, float], at: tuple[float, float, float]) -> NDArray[np.float64]:
    corners = itertools.product(*((-0.5 * s, 0.5 * s) for s in size))
    return np.array(list(corners)) + np.array(at)


def test_the_difference_of_two_boxes_is_the_box_of_their_sum() -> None:
    a, b = box((1.0, 2.0, 3.0), (0.5, 0.0, 0.0)), box((0.5, 0.5, 0.5), (0.0, 0.25, 0.0))
    found = geometry.minkowski(a, b)
    assert len(found.vertices_m) == 8 and len(found.facets) == 6
    low, high = found.vertices_m.min(axis=0), found.vertices_m.max(axis=0)
    np.testing.assert_allclose(high - low, [1.5, 2.5, 3.5], atol=1e-12)
    np.testing.assert_allclose(0.5 * (high + low), [0.5, -0.25, 0.0], atol=1e-12)


def test_distance_touch_and_overlap_of_two_boxes() -> None:
    a = box((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    apart = geometry.minkowski(a, box((1.0, 1.0, 1.0), (1.75, 0.0, 0.0)))
    assert apart.gap_m == pytest.approx(0.75, abs=1e-9) and apart.features is None
    np.testing.assert_allclose(apart.normal, [1.0, 0.0, 0.0], atol=1e-9)
    over = geometry.minkowski(a, box((1.0, 1.0, 1.0), (0.9, 0.2, 0.1)))
    assert over.gap_m == pytest.approx(-0.1, abs=1e-12) and over.features == "face-face"
    np.testing.assert_allclose(over.normal, [1.0, 0.0, 0.0], atol=1e-12)


def test_bodies_that_touch_have_a_normal_and_points() -> None:
    # Sums that round: neither an overlap nor a distance is found for some of them.
    for k in range(1, 40):
        shift = 0.1 * k
        a = box((shift, 1.0, 1.0), (0.5 * shift, 0.0, 0.0))
        found = geometry.minkowski(a, box((1.0, 0.5, 0.5), (shift + 0.5, 0.1, 0.0)))
        assert found.gap_m == pytest.approx(0.0, abs=1e-14)
        np.testing.assert_allclose(found.normal, [1.0, 0.0, 0.0], atol=1e-9)
        assert found.point_a_m[0] == pytest.approx(shift, abs=1e-12)
        assert found.point_b_m[0] == pytest.approx(shift, abs=1e-12)


def test_a_corner_in_a_face() -> None:
    # An octahedron whose lowest corner is 0.05 under the top of a slab.
    tip = np.vstack([0.5 * np.eye(3), -0.5 * np.eye(3)]) + [0.1, 0.0, 0.45]
    found = geometry.minkowski(box((4.0, 4.0, 1.0), (0.0, 0.0, -0.5)), tip)
    assert found.gap_m == pytest.approx(-0.05, abs=1e-12) and found.features == "vertex-face"
    np.testing.assert_allclose(found.normal, [0.0, 0.0, 1.0], atol=1e-12)


def test_what_has_no_volume_is_refused() -> None:
    flat = box((1.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    with pytest.raises(ValueError):
        geometry.minkowski(flat, flat)
