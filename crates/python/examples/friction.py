"""A frictional contact problem from arrays, and its residual."""

from __future__ import annotations

import numpy as np
from klast import contact


def main() -> None:
    rng = np.random.default_rng(1)
    jacobian = rng.normal(size=(30, 40))
    W = jacobian @ jacobian.T / 40.0
    q = rng.normal(size=(10, 3))
    solution = contact.solve(W, q, np.full(10, 0.3))
    print(f"{solution.status} after {solution.iterations} iterations, residual {solution.residual.absolute:.1e} m/s")
    least = contact.solve_lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    print(f"z = {least.z}, {least.status}")


if __name__ == "__main__":
    main()
