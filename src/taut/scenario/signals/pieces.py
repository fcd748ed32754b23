"""The neutral form of a signal, for the engine: a sum of piecewise polynomials and sinusoids.

Piece i of a polynomial spans breaks[i] <= t <= breaks[i+1] and is sum_k c[i, k] u^k with u = (t - mid)/half in [-1, 1],
mid and half those of the piece. Outside their span both forms hold their end value, with zero derivatives. At an inner
break the piece on the right counts. `frozen` evaluates whole rows of times with the piece of the row's last time.
"""

from dataclasses import dataclass

import numpy as np

JUMP = 1e-9

Values = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class PolynomialPieces:
    """Piecewise polynomial: breaks [s], shape [n + 1]; coefficients, lowest power first, shape [n, k <= 16]."""

    breaks: np.ndarray
    coefficients: np.ndarray

    def evaluate(self, t: np.ndarray, *, frozen: bool = False) -> Values:
        """Return value and first and second derivative at times t [s]."""
        t = np.asarray(t, float)
        inside, moving = held(t, self.breaks[0], self.breaks[-1], frozen)
        chosen = inside[..., -1:] if frozen else inside
        piece = np.clip(np.searchsorted(self.breaks, chosen, side="right") - 1, 0, len(self.coefficients) - 1)
        value, slope, curvature = self.within(np.broadcast_to(piece, t.shape), inside)
        return value, np.where(moving, slope, 0.0), np.where(moving, curvature, 0.0)

    def within(self, piece: np.ndarray, t: np.ndarray) -> Values:
        left, right = self.breaks[piece], self.breaks[piece + 1]
        half = 0.5 * (right - left)
        u = (t - 0.5 * (left + right)) / half
        value = slope = curvature = np.zeros_like(u)
        # Horner's rule for the polynomial and its derivatives at once
        for c in np.moveaxis(self.coefficients[piece], -1, 0)[::-1]:
            curvature = curvature * u + slope
            slope = slope * u + value
            value = value * u + c
        return value, slope / half, 2 * curvature / half**2

    def jumps(self) -> list[float]:
        """Return the breaks where value, first or second derivative jumps, also against the held ends."""
        n = len(self.coefficients)
        starts, ends = self.within(np.arange(n), self.breaks[:-1]), self.within(np.arange(n), self.breaks[1:])
        found = np.zeros(n + 1, bool)
        for order, (start, end) in enumerate(zip(starts, ends, strict=True)):
            held = (start[:1], end[-1:]) if order == 0 else (np.zeros(1), np.zeros(1))
            right, left = np.concatenate([start, held[1]]), np.concatenate([held[0], end])
            found |= np.abs(right - left) > JUMP * np.abs([right, left]).max()
        return self.breaks[found].tolist()


@dataclass(frozen=True)
class Sinusoid:
    """offset + amplitude sin(omega t + phase) on start <= t <= end; omega [rad/s], phase [rad], times [s]."""

    amplitude: float
    omega: float
    phase: float = 0.0
    offset: float = 0.0
    start: float = -np.inf
    end: float = np.inf

    def evaluate(self, t: np.ndarray, *, frozen: bool = False) -> Values:
        """Return value and first and second derivative at times t [s]."""
        inside, moving = held(np.asarray(t, float), self.start, self.end, frozen)
        angle = self.omega * inside + self.phase
        amplitude = np.where(moving, self.amplitude, 0.0)
        value = self.offset + self.amplitude * np.sin(angle)
        return value, amplitude * self.omega * np.cos(angle), -amplitude * self.omega**2 * np.sin(angle)

    def jumps(self) -> list[float]:
        """Return the finite ends of the span."""
        return [t for t in (self.start, self.end) if np.isfinite(t)]


@dataclass(frozen=True)
class CommandTerm:
    """A term that a controller sets during the run: number of the command, and its value until then."""

    index: int
    initial: float = 0.0
    scale: float = 1.0

    def evaluate(self, t: np.ndarray, *, frozen: bool = False) -> Values:
        """Return the initial value; what follows is known in the run only."""
        zero = np.zeros_like(np.asarray(t, float))
        return zero + self.scale * self.initial, zero, zero

    def jumps(self) -> list[float]:
        """Return nothing: the run restarts wherever a controller acts."""
        return []


Term = PolynomialPieces | Sinusoid | CommandTerm


def constant_pieces(value: float) -> PolynomialPieces:
    """Return a constant."""
    return PolynomialPieces(np.array([0.0, 1.0]), np.array([[float(value)]]))


def local_pieces(breaks: np.ndarray, coefficients: np.ndarray) -> PolynomialPieces:
    """Return pieces given in powers of t - breaks[i], coefficients lowest power first, shape [n, k]."""
    half = 0.5 * np.diff(breaks)[:, None]
    shifted = np.zeros_like(coefficients)
    # (t - left)^k = half^k (u + 1)^k, by Horner's rule in u + 1
    for k in range(coefficients.shape[1] - 1, -1, -1):
        shifted[:, 1:] += shifted[:, :-1].copy()
        shifted[:, :1] += coefficients[:, k : k + 1] * half**k
    return PolynomialPieces(np.asarray(breaks, float), shifted)


def held(t: np.ndarray, start: float, end: float, frozen: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the times held inside the span, and where the signal moves; frozen: as at the last time of each row."""
    inside = np.clip(t, start, end)
    chosen = t[..., -1:] if frozen else t
    return inside, np.broadcast_to((chosen >= start) & (chosen <= end), t.shape)


def evaluate_terms(terms: list[Term], t: np.ndarray, *, frozen: bool = False) -> Values:
    """Return value and derivatives of a sum of terms at times t [s]."""
    t = np.asarray(t, float)
    parts = [term.evaluate(t, frozen=frozen) for term in terms]
    return tuple(np.sum([part[order] for part in parts], axis=0) for order in range(3))  # type: ignore[return-value]


def jumps_of(terms: list[Term], t_end: float) -> list[float]:
    """Return the jumps of a sum of terms inside 0 < t < t_end, sorted."""
    return sorted({t for term in terms for t in term.jumps() if 0 < t < t_end})
