"""Frictional contact problems and linear complementarity problems as arrays.

The solvers find impulses r (N s) and velocities u = W r + q (m/s) that keep bodies apart and obey Coulomb's law at
every contact. Vectors of a contact are in its local frame (n, t1, t2); a positive n separates the bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _klast
from ._arrays import Floats, floats


@dataclass(frozen=True)
class Residual:
    """Residual of impulses in a contact problem."""

    absolute: float
    """In m/s, independent of units and of mass."""
    relative: float
    """The same over the largest velocity in q."""
    natural_map: float
    """The natural map of other codes, which depends on the units."""


@dataclass(frozen=True)
class Solution:
    """Impulses and velocities of a solution, with its status and residual."""

    impulses: Floats
    """(N, 3) in N s."""
    velocities: Floats
    """(N, 3) in m/s: W r + q."""
    status: str
    """'converged', 'iteration limit' or 'stalled'."""
    iterations: int
    residual: Residual

    @property
    def converged(self) -> bool:
        """Whether the residual met the tolerance."""
        return self.status == "converged"


@dataclass(frozen=True)
class LcpSolution:
    """The vectors z and w of a linear complementarity problem, with status and residual."""

    z: Floats
    w: Floats
    status: str
    """'converged', 'infeasible' (with a certificate), 'ray' or 'not converged'."""
    iterations: int
    absolute: float
    relative: float
    certificate: Floats | None
    """y >= 0 with Mᵀ y <= 0 and qᵀ y < 0: the proof that there is no solution."""

    @property
    def converged(self) -> bool:
        """Whether the residual met the tolerance."""
        return self.status == "converged"


def _problem(
    W: Any, q: ArrayLike, mu: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, Floats, Floats]:
    """Blocks of W with their rows and columns, q and mu."""
    friction = floats("mu", mu, (None,))
    n = len(friction)
    constant = np.asarray(q)
    constant = floats("q", constant, (n, 3)) if constant.ndim == 2 else floats("q", constant, (3 * n,))
    if hasattr(W, "tobsr"):
        if W.shape != (3 * n, 3 * n):
            raise ValueError(
                f"W: shape {W.shape}; accepted: {(3 * n, 3 * n)}, three rows for each of the {n} values of mu"
            )
        bsr = W.tobsr(blocksize=(3, 3))
        bsr.sort_indices()
        rows = np.repeat(np.arange(n, dtype=np.int64), np.diff(bsr.indptr))
        blocks = floats("W", bsr.data, (None, 3, 3))
        return rows, bsr.indices.astype(np.int64), blocks.reshape(-1), constant.reshape(-1), friction
    dense = floats("W", W, (3 * n, 3 * n))
    blocks = dense.reshape(n, 3, n, 3).swapaxes(1, 2)
    rows, columns = np.nonzero(blocks.any(axis=(2, 3)))
    flat = np.ascontiguousarray(blocks[rows, columns]).reshape(-1)
    return rows.astype(np.int64), columns.astype(np.int64), flat, constant.reshape(-1), friction


def solve(
    W: Any,
    q: ArrayLike,
    mu: ArrayLike,
    *,
    method: str = "admm-newton",
    tolerance: float = 1e-10,
    max_iterations: int = 20_000,
    start: ArrayLike | None = None,
) -> Solution:
    """Solves a frictional contact problem.

    `W` (1/kg) is a dense array (3N, 3N) or a scipy.sparse matrix. `q` (m/s) is an array (3N,) or (N, 3), and `mu` an
    array (N,). A problem that is not solved to the tolerance raises no error; check `status` and `residual`. Methods
    are 'admm-newton', 'gauss-seidel' and 'admm'.
    """
    rows, columns, blocks, constant, friction = _problem(W, q, mu)
    if not (np.isfinite(tolerance) and tolerance > 0.0):
        raise ValueError(f"tolerance: {tolerance}; accepted: finite and above 0")
    first = None if start is None else floats("start", start, (len(friction), 3)).reshape(-1)
    told = _klast.solve_friction(rows, columns, blocks, constant, friction, method, tolerance, max_iterations, first)
    residual = Residual(told["absolute"], told["relative"], told["natural_map"])
    return Solution(told["impulses"], told["velocities"], told["status"], told["iterations"], residual)


def residual(W: Any, q: ArrayLike, mu: ArrayLike, impulses: ArrayLike) -> Residual:
    """The residual of given impulses (N, 3)."""
    rows, columns, blocks, constant, friction = _problem(W, q, mu)
    given = floats("impulses", impulses, (len(friction), 3)).reshape(-1)
    told = _klast.residual(rows, columns, blocks, constant, friction, given)
    return Residual(told["absolute"], told["relative"], told["natural_map"])


def solve_lcp(
    M: Any,
    q: ArrayLike,
    *,
    method: str = "default",
    tolerance: float = 1e-12,
    max_iterations: int = 10_000,
) -> LcpSolution:
    """Solves the linear complementarity problem z >= 0, w = M z + q >= 0, zᵀ w = 0.

    `M` is a dense array (N, N) or a scipy.sparse matrix, and `q` an array (N,). Methods are 'lemke', 'gauss-seidel',
    'enumeration' and 'default'; 'default' tries 'lemke' first, and then the other methods until one succeeds.
    """
    constant = floats("q", q, (None,))
    n = len(constant)
    dense = floats("M", M.toarray() if hasattr(M, "toarray") else M, (n, n))
    if not (np.isfinite(tolerance) and tolerance > 0.0):
        raise ValueError(f"tolerance: {tolerance}; accepted: finite and above 0")
    told = _klast.solve_lcp(dense.reshape(-1), constant, method, tolerance, max_iterations)
    names = ("z", "w", "status", "iterations", "absolute", "relative", "certificate")
    return LcpSolution(*(told[name] for name in names))


__all__ = ["LcpSolution", "Residual", "Solution", "residual", "solve", "solve_lcp"]


def __dir__() -> list[str]:
    return sorted(__all__)
