"""TrueSkill's factor graph for matches in which everybody plays for themselves.

The library builds a graph for teams of any size, and spends nearly all its time on the objects of it. This is the
same arithmetic in the same order, on numbers: every bit of the outcome is the library's (a test), at several times
its speed. A message, or what a variable believes, is a precision ``pi`` (1 / sigma squared) and ``tau`` = pi * mu.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

_LOOPS = 10
"""At most so many times messages go up and down."""

_DELTA = 0.0001
"""Less than this changes nothing worth another loop."""

Correction = Callable[[float, float], float]
"""Of a mean or a variance, by the difference of two performances and the margin of a draw, both in standard units."""


class Model(NamedTuple):
    """The library's parameters and functions."""

    beta: float
    """How much a performance varies round the skill."""
    tau: float
    """How much a skill may change from one match to the next."""
    margin: float
    """So much better a performance must be to win."""
    v_win: Correction
    w_win: Correction
    v_draw: Correction
    w_draw: Correction


def rate(skills: Sequence[tuple[float, float]], placements: Sequence[int], model: Model) -> list[tuple[float, float]]:
    """The new mu and sigma of each of *skills*, two or more, whose *placements* rise.

    Raises ArithmeticError or ValueError where numbers of this length do not suffice.
    """
    priors = [_prior(mu, sigma, model.tau) for mu, sigma in skills]
    likelihoods = [_noisy(pi, tau, model.beta) for pi, tau in priors]
    performances = [_sum_of_one(pi, tau) for pi, tau in likelihoods]
    graph = _Differences(performances, placements, model)
    graph.settle()
    return [
        _posterior(graph, seat, performances[seat], likelihoods[seat], priors[seat], model.beta)
        for seat in range(len(skills))
    ]


def _prior(mu: float, sigma: float, tau: float) -> tuple[float, float]:
    # There and back, as the library has it, which keeps a rating by pi and tau too.
    pi = sigma**-2
    mean, deviation = pi and pi * mu / pi, math.sqrt(1 / pi)
    pi = math.sqrt(deviation**2 + tau**2) ** -2
    return pi, pi * mean


def _noisy(pi: float, tau: float, beta: float) -> tuple[float, float]:
    """The message from a skill to its performance, or back."""
    a = 1.0 / (1.0 + beta**2 * pi)
    return a * pi, a * tau


def _sum_of_one(pi: float, tau: float) -> tuple[float, float]:
    """The message from a performance to that of a team of one, or back."""
    mean = pi and tau / pi
    pi = 1.0 / (1.0 / pi if pi else math.inf)
    return pi, pi * mean


def _posterior(
    graph: "_Differences",
    seat: int,
    performance: tuple[float, float],
    likelihood: tuple[float, float],
    prior: tuple[float, float],
    beta: float,
) -> tuple[float, float]:
    pi, tau = _sum_of_one(graph.pi[seat] - performance[0], graph.tau[seat] - performance[1])
    pi, tau = likelihood[0] + pi - likelihood[0], likelihood[1] + tau - likelihood[1]
    pi, tau = _noisy(pi, tau, beta)
    pi, tau = prior[0] + pi, prior[1] + tau
    return pi and tau / pi, math.sqrt(1 / pi) if pi else math.inf


class _Differences:
    """The performances, and the difference of each to the next, which is to agree with the placements."""

    def __init__(self, performances: Sequence[tuple[float, float]], placements: Sequence[int], model: Model) -> None:
        seats = len(performances)
        self.pi = [pi for pi, _ in performances]
        """Of the performances."""
        self.tau = [tau for _, tau in performances]
        # To a performance, from the difference to the one before it and to the one behind it.
        self._before = [(0.0, 0.0)] * seats
        self._behind = [(0.0, 0.0)] * seats
        # What the differences believe, and the messages to them from performances and from placements.
        self._difference = [(0.0, 0.0)] * (seats - 1)
        self._from_performances = [(0.0, 0.0)] * (seats - 1)
        self._from_placements = [(0.0, 0.0)] * (seats - 1)
        won, drawn = (model.v_win, model.w_win), (model.v_draw, model.w_draw)
        self._corrections = [drawn if placements[seat] == placements[seat + 1] else won for seat in range(seats - 1)]
        self._margin = model.margin

    def settle(self) -> None:
        """Pass messages until they change nothing any more."""
        last = len(self._difference) - 1
        for _ in range(_LOOPS):
            delta = self._compare(0) if last == 0 else self._there_and_back(last)
            if delta <= _DELTA:
                break
        self._tell_better(0)
        self._tell_worse(last)

    def _there_and_back(self, last: int) -> float:
        delta = 0.0
        for index in range(last):
            delta = max(delta, self._compare(index))
            self._tell_worse(index)
        for index in range(last, 0, -1):
            delta = max(delta, self._compare(index))
            self._tell_better(index)
        return delta

    def _compare(self, index: int) -> float:
        """Have the performances and the placements say what the difference is. Returns how much that changes it."""
        pi, tau = self._hear_performances(index)
        told = self._from_placements[index]
        heard_pi, heard_tau = pi - told[0], tau - told[1]
        root = math.sqrt(heard_pi)
        v, w = (correct(heard_tau / root, self._margin * root) for correct in self._corrections[index])
        rest = 1.0 - w
        new_pi, new_tau = heard_pi / rest, (heard_tau + root * v) / rest
        self._from_placements[index] = (new_pi + told[0] - pi, new_tau + told[1] - tau)
        self._difference[index] = (new_pi, new_tau)
        change = abs(pi - new_pi)
        return 0.0 if change == math.inf else max(abs(tau - new_tau), math.sqrt(change))

    def _hear_performances(self, index: int) -> tuple[float, float]:
        better, worse = self._behind[index], self._before[index + 1]
        message = _sum(
            self.pi[index] - better[0],
            self.tau[index] - better[1],
            self.pi[index + 1] - worse[0],
            self.tau[index + 1] - worse[1],
            -1,
        )
        pi, tau = self._difference[index]
        old = self._from_performances[index]
        self._from_performances[index] = message
        return pi - old[0] + message[0], tau - old[1] + message[1]

    def _tell_worse(self, index: int) -> None:
        """Have the worse of the two performances hear of the difference."""
        pi, tau = self._difference[index]
        told, better = self._from_performances[index], self._behind[index]
        message = _sum(self.pi[index] - better[0], self.tau[index] - better[1], pi - told[0], tau - told[1], -1)
        old = self._before[index + 1]
        self._before[index + 1] = message
        self.pi[index + 1] = self.pi[index + 1] - old[0] + message[0]
        self.tau[index + 1] = self.tau[index + 1] - old[1] + message[1]

    def _tell_better(self, index: int) -> None:
        """Have the better of the two performances hear of the difference."""
        pi, tau = self._difference[index]
        told, worse = self._from_performances[index], self._before[index + 1]
        message = _sum(pi - told[0], tau - told[1], self.pi[index + 1] - worse[0], self.tau[index + 1] - worse[1], 1)
        old = self._behind[index]
        self._behind[index] = message
        self.pi[index] = self.pi[index] - old[0] + message[0]
        self.tau[index] = self.tau[index] - old[1] + message[1]


def _sum(pi: float, tau: float, other_pi: float, other_tau: float, sign: int) -> tuple[float, float]:
    """The message about a sum, or with *sign* -1 a difference, of what two messages are about."""
    mean = (pi and tau / pi) + sign * (other_pi and other_tau / other_pi)
    variance = 1.0 / pi + 1.0 / other_pi if pi and other_pi else math.inf
    pi = 1.0 / variance
    return pi, pi * mean
