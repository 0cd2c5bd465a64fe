"""Checked arrays: what does not fit is refused, never turned or cut in silence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
# A table: rows with named fields.
Table = NDArray[np.void]


def floats(field: str, value: ArrayLike, shape: Sequence[int | None], *, finite: bool = True) -> Floats:
    """The value as a contiguous array of doubles of a shape; `None` in the shape is any length."""
    found = numeric(field, value)
    wanted = "(" + ", ".join("N" if n is None else str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"
    fits = found.ndim == len(shape) and all(n is None or n == m for n, m in zip(shape, found.shape))
    if not fits:
        raise ValueError(f"{field}: shape {found.shape}; accepted: {wanted}")
    if finite:
        all_finite(field, found)
    return np.ascontiguousarray(found, dtype=np.float64)


def numeric(field: str, value: ArrayLike) -> NDArray[Any]:
    """The value as an array of real numbers."""
    try:
        found = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{field}: rows of different lengths; accepted: an array of numbers") from error
    if found.dtype.kind not in "fiu":
        raise ValueError(f"{field}: dtype {found.dtype}; accepted: real numbers (float64 is taken as it is)")
    return found


def all_finite(field: str, found: NDArray[Any]) -> None:
    """Refuses what is not a number or infinite, with its place."""
    bad = np.argwhere(~np.isfinite(found))
    if len(bad):
        at = tuple(int(k) for k in bad[0])
        where = f" at {list(at)}" if at else ""
        raise ValueError(f"{field}: {found[at]}{where} ({len(bad)} in all); accepted: finite numbers")


def structured(columns: Mapping[str, Any] | Iterable[tuple[str, Any]], length: int | None = None) -> Table:
    """Columns of one length as a structured array; rows of several numbers become a field of that shape."""
    items = list(columns.items() if isinstance(columns, Mapping) else columns)
    arrays = [
        (name, values if isinstance(values, np.ndarray) else np.array(values, dtype=str)) for name, values in items
    ]
    # An array of no words has no width.
    dtype = [(name, a.dtype if a.dtype != "U0" else np.dtype("U1"), a.shape[1:]) for name, a in arrays]
    rows = length if length is not None else (len(arrays[0][1]) if arrays else 0)
    table = np.empty(rows, dtype=dtype)
    for name, array in arrays:
        table[name] = array
    return table
