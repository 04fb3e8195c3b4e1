"""The cost model: how long each op takes.

Times are per stage, in any unit: one number, or one per stage. The defaults (F=1, B=2, W=1, latency 0)
are those of the published DualPipe figure.
"""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pipesched.errors import CostError, PipeschedWarning
from pipesched.words import printable, shortened, wrong_length

Time = float | tuple[float, ...]
Times = float | Sequence[float] | npt.NDArray[np.float64]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

#: Times beyond these are slips; sums and squares of them would leave what floats can hold.
LEAST, MOST = 1e-100, 1e100

_TIMES = ("F", "B", "I", "W", "FB")
#: Every key of a cost model, as files spell it.
KEYS = (*_TIMES, "latency", "unit")
#: What the unit of time is called where none is named: F where that is what a forward takes.
FORWARD, UNNAMED = "F", "units"


@dataclass(frozen=True, init=False)
class CostModel:
    """Times per stage, checked; whatever is left out is derived.

    F forward, B whole backward, I backward for the input, W backward for the weights, FB an overlapped
    pair (its per-stage list is indexed by the stage of the pair's forward); latency between two
    different devices, which delays the consumer and occupies nobody. Of B, I and W any two give the
    third (B = I + W); else W is 1 and B is 2. ``unit`` names the unit of time: "F" where F is 1 on every
    stage, else "units", unless another is given.

    Raises :class:`CostError` for a negative, NaN or infinite time, W > B, lists of different lengths.
    Warns where FB is outside max(F, B) .. F + B.
    """

    F: Time
    B: Time
    I: Time  # noqa: E741  the published letter
    W: Time
    FB: Time | None  # None: F + B, each at its own stage
    latency: float
    unit: str
    given: tuple[str, ...] = field(compare=False)  # the keys of times that are not derived

    def __init__(
        self,
        *,
        F: Times | None = None,  # noqa: N803  the published letters
        B: Times | None = None,  # noqa: N803
        I: Times | None = None,  # noqa: N803, E741
        W: Times | None = None,  # noqa: N803
        FB: Times | None = None,  # noqa: N803
        latency: float | None = None,
        unit: str | None = None,
    ) -> None:
        given = {"F": F, "B": B, "I": I, "W": W, "FB": FB}
        times = {key: time_of(key, value) for key, value in given.items() if value is not None}
        named = tuple(times)
        delay = time_of("latency", 0.0 if latency is None else latency)
        if not isinstance(delay, float):
            raise CostError("latency must be one number: it is the same between any two devices")
        lengths = {key: len(time) for key, time in times.items() if isinstance(time, tuple)}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{key} has {length}" for key, length in lengths.items())
            raise CostError(f"lists of times must have one entry per stage each; {listed}")
        _derive_backward(times)
        _check_backward(times)
        whole = {"FB": None, **times, "latency": delay, "unit": _unit(unit), "given": named}
        if not whole["unit"]:
            whole["unit"] = FORWARD if np.all(np.equal(times["F"], 1)) else UNNAMED
        for key, value in whole.items():
            object.__setattr__(self, key, value)
        self._warn_of_strange_pairs()

    def __repr__(self) -> str:
        return f"<CostModel {self.describe()}>"

    @classmethod
    def of(cls, **given: Any) -> "CostModel":
        """The same from keys that a user wrote; CostError for an unknown one."""
        check_each(given)
        return cls(**given)

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, lists as lists."""
        return {key: list(value) if isinstance(value := getattr(self, key), tuple) else value for key in KEYS}

    def per_stage(self, stages: int) -> Floats:
        """Times by kind and stage: float64[4, stages], rows F, B, I, W.

        Raises :class:`CostError` for a list of another length.
        """
        self.check_lengths(stages)
        return np.stack([self._row(key, stages) for key in ("F", "B", "I", "W")])

    def pair_times(self, forward: Ints, backward: Ints, stages: int) -> Floats:
        """What pairs take, float64 of the same length, given the stages of their two ops."""
        if self.FB is not None:
            return self._row("FB", stages)[forward]
        return _rounded(self._row("F", stages)[forward] + self._row("B", stages)[backward])

    def _row(self, key: str, stages: int) -> Floats:
        return np.full(stages, getattr(self, key), dtype=np.float64)

    def check_lengths(self, many: int, one: str = "stage") -> None:
        """Raise :class:`CostError` for a list without an entry for each; what was given is named."""
        for key in self.given:
            time = getattr(self, key)
            if isinstance(time, tuple) and len(time) != many:
                raise CostError(wrong_length(key, len(time), one, many))

    @property
    def uniform(self) -> bool:
        """Whether every stage takes the same times."""
        return not any(len(set(time)) > 1 for key in _TIMES if isinstance(time := getattr(self, key), tuple))

    def values(self) -> dict[str, float]:
        """The numbers of a uniform model by formula symbol: F, B, I, W, FB, latency."""
        one = {key: time[0] if isinstance(time := getattr(self, key), tuple) else time for key in _TIMES}
        if one["FB"] is None:
            one["FB"] = one["F"] + one["B"]
        return {**one, "latency": self.latency}

    def resized(self, parts: int, stages: int) -> "CostModel":
        """Times per stage when a model given in ``parts`` equal parts is cut into ``stages`` instead.

        Raises :class:`CostError` for lists that cannot be cut so.
        """
        if stages in (parts, 0):  # a file without ops has no stages
            return self
        self.check_lengths(parts, "1/PP of the model")
        if stages % parts and not self.uniform:
            raise CostError(
                f"a list of {parts} times per part of the model cannot be cut into {stages} stages"
            )
        scale = parts / stages

        def cut(time: Time | None) -> Time | None:
            if isinstance(time, tuple):
                each = np.repeat(time, stages // parts) if stages % parts == 0 else np.full(stages, time[0])
                return tuple((each * scale).tolist())
            return None if time is None else time * scale

        times = {key: cut(getattr(self, key)) for key in _TIMES}
        with warnings.catch_warnings():  # strange pairs were warned of already
            warnings.simplefilter("ignore", PipeschedWarning)
            return CostModel(**times, latency=self.latency, unit=self.unit)

    def _warn_of_strange_pairs(self) -> None:
        """A pair that is faster than its longer half, or slower than both in turn; at whichever stage."""
        if self.FB is None:
            return
        f, b, fb = (np.atleast_1d(row) for row in np.broadcast_arrays(self.F, self.B, self.FB))
        low, high = np.maximum(f, b), _rounded(f + b)
        strange = np.flatnonzero((fb < low) | (fb > high))
        if len(strange):
            s = int(strange[0])
            where = f" on stage {s}" if len(fb) > 1 else ""
            bounds = f"max(F, B) = {low[s]:g} .. F + B = {high[s]:g}"
            word = "fast" if fb[s] < low[s] else "slow"
            message = f"FB = {fb[s]:g}{where} is outside {bounds}: no overlap is so {word}"
            warnings.warn(message, PipeschedWarning, stacklevel=4)

    def describe(self) -> str:
        """One line: ``F=1 B=2 I=1 W=1 F&B=3 latency=0 (unit: F)``."""
        shown: Mapping[str, Time | None] = {key: getattr(self, key) for key in _TIMES}
        parts = [
            f"{'F&B' if key == 'FB' else key}={_brief(time)}"
            for key, time in shown.items()
            if time is not None
        ]
        if self.FB is None:
            parts.append(
                "F&B=F+B"
                if any(isinstance(shown[k], tuple) for k in "FB")
                else f"F&B={self.values()['FB']:g}"
            )
        unit = "unit not named" if self.unit == UNNAMED else f"unit: {self.unit}"
        return " ".join([*parts, f"latency={self.latency:g}"]) + f" ({unit})"


def _brief(time: Time) -> str:
    if isinstance(time, float):
        return f"{time:g}"
    shown = [f"{t:g}" for t in time]
    return "[" + ",".join(shown if len(shown) <= 8 else [*shown[:6], "...", shown[-1]]) + "]"


def check_each(given: Mapping[str, Any]) -> None:
    """Raise :class:`CostError` for an unknown key, or a value that is wrong whatever the others are."""
    unknown = sorted(given.keys() - set(KEYS))
    if unknown:
        raise CostError(f"unknown cost {shortened(unknown[0])!r}; known are {', '.join(KEYS)}")
    for key, value in given.items():
        if key == "unit":
            _unit(value)
        elif value is not None:
            time_of(key, value)


def time_of(key: str, given: Any) -> Time:
    """A checked time, float or tuple of floats; :class:`CostError` names it by ``key``."""
    several = isinstance(given, list | tuple | np.ndarray)
    times = []
    for one in given if several else [given]:
        if isinstance(one, bool) or not isinstance(one, int | float | np.integer | np.floating):
            raise CostError(
                f"{key} must be a number, or a list of one number per stage; got {shortened(repr(one))}"
            )
        try:
            number = float(one)
        except OverflowError:
            number = math.inf
        if not (math.isfinite(number) and number >= 0):
            raise CostError(f"{key} must be a time of 0 or more; got {number:g}")
        if number and not LEAST <= number <= MOST:
            raise CostError(
                f"{key} must be 0 or a time from {LEAST:g} to {MOST:g}; got {number:g}: choose another unit"
            )
        times.append(number)
    if several and not times:
        raise CostError(f"{key} is an empty list; give one time per stage")
    return tuple(times) if several else times[0]


def _unit(given: Any) -> str:
    """The name of the unit, fit to be printed; empty where there is none."""
    if given is not None and not isinstance(given, str):
        raise CostError(f"unit must be text, such as ms; got {shortened(repr(given))}")
    return printable(given or "").strip()


def _combine(a: Time, b: Time, sign: int) -> Time:
    total = _rounded(np.asarray(a, dtype=np.float64) + sign * np.asarray(b, dtype=np.float64))
    return tuple(total.tolist()) if total.ndim else float(total)


def _rounded(times: Floats) -> Floats:
    """Without the noise of float sums: 0.1 + 0.2 is 0.3, so that ticks stay exact."""
    digits = 12 - int(np.log10(max(float(np.abs(times).max(initial=0.0)), 1.0)))
    return np.round(times, digits) if digits >= 0 else times


def _derive_backward(times: dict[str, Time]) -> None:
    if "I" not in times:
        times.setdefault("W", 1.0)
        times.setdefault("B", 2.0)
        times["I"] = _combine(times["B"], times["W"], -1)
    elif "W" not in times and "B" in times:
        times["W"] = _combine(times["B"], times["I"], -1)
    else:
        times.setdefault("W", 1.0)
        times.setdefault("B", _combine(times["I"], times["W"], +1))
    times.setdefault("F", 1.0)


def _check_backward(times: dict[str, Time]) -> None:
    """W and I are parts of B. A fused B may be faster than I + W, so the sum itself is free."""
    for part in ("W", "I"):
        b, p = np.broadcast_arrays(times["B"], times[part])
        wrong = np.flatnonzero(np.atleast_1d(p > b))
        if len(wrong):
            s = int(wrong[0])
            where = f" on stage {s}" if b.ndim else ""
            raise CostError(
                f"{part} must not exceed B, the whole backward (B = I + W){where}; "
                f"got {part} = {np.atleast_1d(p)[s]:g} > B = {np.atleast_1d(b)[s]:g}"
            )
