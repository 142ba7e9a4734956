"""1/f noise of a measurement, as its residuals tell: one number, how strong it is against white noise.

The noise is written in slow cosines of the order of the points, the power of the k-th falling as 1/k. A fit takes most
of the slow ones with it, so its strength is that at which the residuals would have as much of them as they have (the
moments of a quadratic form, S. R. Searle et al., Variance Components, 1992).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qdash_jupyter.methods.curves.curve import Array

_MODES = 30


@dataclass(frozen=True, slots=True, eq=False)
class Flicker:
    """The modes of 1/f noise.

    Attributes:
        modes: Shape (rows, m): weighted.
        power: Shape (m,): of each, falling.
    """

    modes: Array
    power: Array

    @classmethod
    def of(cls, order: Array, weights: Array) -> Flicker:
        """Of points in this order, shape (n,), each with its weights, shape (n,), or (2n,) of two quadratures."""
        count = len(order)
        numbers = np.arange(1, min(_MODES, count // 2) + 1)
        place = (order * (count - 1) + 0.5) / count
        modes = np.cos(np.pi * place[:, None] * numbers) * np.sqrt(2 / count)
        parts = len(weights) // count
        scaled = np.kron(np.eye(parts), modes) * (weights / weights.mean())[:, None]
        return cls(scaled, np.tile(1 / numbers, parts))

    def strength(self, left: Array, known: Array, rss: float) -> float:
        """How strong the noise is in residuals, 0 for white ones.

        Args:
            left: Shape (rows,): the residuals.
            known: Shape (rows, k): orthogonal columns that were fitted.
            rss: The sum of squares of the residuals.
        """
        beside = self._beside(known)
        free = len(left) - known.shape[1]
        white = float(self.power @ np.diag(beside))
        slow = float(np.sum(self.power[:, None] * beside * self.power * beside))
        ratio = float(self.power @ (left @ self.modes) ** 2) / rss
        return max((ratio * free - white) / max(slow - white**2 / free, 1e-300), 0.0)

    def white(self, rss: float, free: int, known: Array, strength: float) -> float:
        """The variance of the white part."""
        return rss / (free + strength * float(self.power @ np.diag(self._beside(known))))

    def free(self, known: Array, strength: float) -> float:
        """The degrees of freedom of a strength: how many modes stand out from the white noise, at least one."""
        slow = strength * self._beside(known) * self.power
        shares = np.linalg.solve(np.eye(len(slow)) + slow, slow)
        return max(float(np.sum(shares * shares.T)), 1.0)

    def seen(self, influence: Array) -> Array:
        """The variance of parameters for a strength of 1 and white noise of 1, shape (p,)."""
        found: Array = (influence @ self.modes) ** 2 @ self.power
        return found

    def enlarged(self, columns: Array, known: Array, strength: float) -> Array:
        """By how much the noise of coefficients is larger than white noise makes it.

        Args:
            columns: Shape (g, rows, d), weighted.
            known: Shape (rows, k): orthogonal columns beside which they are fitted.
            strength: Of the noise.
        """
        left = columns - known @ (known.T @ columns)
        slow = np.einsum("gmd,m->g", (self.modes.T @ left) ** 2, self.power)
        found: Array = 1 + strength * slow / np.maximum(np.sum(left**2, axis=(1, 2)), 1e-300)
        return found

    def _beside(self, known: Array) -> Array:
        shared = known.T @ self.modes
        return self.modes.T @ self.modes - shared.T @ shared
