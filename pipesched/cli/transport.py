"""Transfers as the command line asks for them: how they run, and running them."""

import warnings
from typing import TYPE_CHECKING

from pipesched.actions import Actions
from pipesched.cli.options import Moving
from pipesched.cli.source import Source
from pipesched.errors import CostError, PipeschedWarning, ShapeError
from pipesched.words import number

if TYPE_CHECKING:
    from pipesched.costs import CostModel
    from pipesched.loaded import Plan
    from pipesched.timeline import Timeline
    from pipesched.transport import Transport
    from pipesched.validate import Violation

_POWERS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "ki": 2.0**10, "mi": 2.0**20, "gi": 2.0**30}


def transport_of(moving: Moving) -> "Transport | None":
    """The transfer model, or None where no option about transfers is given."""
    if moving == Moving():
        return None
    from pipesched.choices import Mode
    from pipesched.transport import Transport

    given = {key: str(getattr(moving, key)) for key in Mode._fields if getattr(moving, key) is not None}
    size = {} if moving.size is None else {"size": numbers("--bytes", moving.size)}
    speed = {} if moving.bandwidth is None else {"bandwidth": numbers("--bandwidth", moving.bandwidth)}
    if size and not speed:
        raise CostError("--bytes needs --bandwidth, in bytes per unit of time")
    return Transport(Mode(**given), **size, **speed)


def numbers(key: str, text: str) -> float | tuple[float, ...]:
    """``4M``, or ``1e6,2e6``; CostError for anything else."""
    found = []
    for part in text.lower().split(","):
        figure = part.strip().rstrip("bkmgti")
        value, power = number(figure), _POWERS.get(part.strip()[len(figure) :].removesuffix("b"))
        if value is None or power is None:
            message = f"{key} must be a number such as 4e6, 4M or 4Mi, or a comma list of them; got {text!r}"
            raise CostError(message)
        found.append(value * power)
    return tuple(found) if len(found) > 1 else found[0]


def memory_caps(text: str, devices: int) -> list[float]:
    """What each device has room for: one number, or one per device."""
    from pipesched.analysis.cap import caps_of

    caps: list[float] = caps_of(cap_numbers(text), devices).tolist()
    return caps


def cap_numbers(text: str) -> tuple[float, ...]:
    """``--memory-cap``: ``4``, or ``4,4,3,3``; CostError for anything else."""
    found = [number(part) for part in text.split(",")]
    if None in found:
        message = "a number of activations such as 8, or a comma list of one per device"
        raise CostError(f"--memory-cap must be {message}; got {text!r}")
    return tuple(each for each in found if each is not None)


def plan_of(source: Source, moving: Moving, *, reduce_grad: bool = True, fsdp: bool = False) -> Actions:
    """The lists with transfers: the file's own, or lowered."""
    if source.actions is not None and source.actions.has_transfers:
        if moving.recv is not None or fsdp:
            what = "--fsdp" if moving.recv is None else "--recv"
            raise ShapeError(f"{source.schedule.called} has transfers of its own, so {what} does not apply")
        return source.actions
    from pipesched.transfers import lower

    return lower(source.plan, moving.recv or "early", fsdp=fsdp, reduce_grad=reduce_grad)


def plan_run(source: Source, moving: Moving) -> "Plan":
    """What is run: lists with transfers where an option asks for them, else the compute alone.

    Says so where transfers of the file's own are not run.
    """
    if moving != Moving():
        return plan_of(source, moving, reduce_grad=False)
    if source.actions is not None and source.actions.has_transfers:
        called = source.schedule.called
        message = f"{called}: its compute is run, with latency; --comm async runs its transfers too"
        warnings.warn(message, PipeschedWarning, stacklevel=2)
    return source.plan


def timeline_of(source: Source, moving: Moving) -> "Timeline":
    """The schedule run, as :func:`plan_run` says."""
    from pipesched.simulate import simulate

    return simulate(plan_run(source, moving), source.costs, transport_of(moving))


def over_cap_of(timeline: "Timeline", memory_cap: str | None, free_at: str) -> list["Violation"]:
    """What is over the cap that ``4``, or ``4,4,3,3``, sets; nothing without one."""
    if memory_cap is None:
        return []
    from pipesched.analysis.cap import over_cap

    return [*over_cap(timeline, cap_numbers(memory_cap), free_at)]


def transfer_notes(moving: Moving, costs: "CostModel") -> dict[str, str]:
    """What to say about how transfers ran, by what it is about; nothing where none did."""
    transport = transport_of(moving)
    return {} if transport is None else {"transfers": transport.describe(costs)}
