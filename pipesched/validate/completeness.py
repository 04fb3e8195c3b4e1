"""Nothing is missing: stages, micro-batches, and each one's forward and backward on each stage."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.ops import Kind, Op
from pipesched.schedule import Schedule
from pipesched.validate.slips import meant
from pipesched.validate.violation import Violation, at, place

_Ints = npt.NDArray[np.int64]
_Bools = npt.NDArray[np.bool_]


class _Visits(NamedTuple):
    """Every (stage, micro-batch) that has an op: one entry each, by stage, then micro-batch."""

    stage: _Ints
    microbatch: _Ints
    has: _Bools  # [kinds, visits]
    op: _Ints  # the last op there


def _visits(schedule: Schedule) -> _Visits:
    width = int(schedule.microbatch.max(initial=0)) + 1
    keys = schedule.stage.astype(np.int64) * width + schedule.microbatch
    size = int(keys.max(initial=0)) + 1
    if size > 8 * schedule.n_ops + 64:  # ids far above the number of ops: number those that occur
        visited, place = np.unique(keys, return_inverse=True)
    else:
        visited, place = np.arange(size), keys
    has = np.zeros((len(Kind), len(visited)), dtype=np.bool_)
    has[schedule.kind, place] = True
    op = np.zeros(len(visited), dtype=np.int64)
    op[place] = np.arange(schedule.n_ops)
    there = has.any(axis=0)
    return _Visits(visited[there] // width, visited[there] % width, has[:, there], op[there])


def incomplete(schedule: Schedule) -> Iterator[Violation]:
    """Whatever is missing: numbers, micro-batches that stray, ops."""
    if schedule.places and _complete(*schedule.places.has):
        return
    visits = _visits(schedule)
    stray = _stray_ids(visits)
    yield from _gaps(visits, stray)
    yield from _strays(schedule, visits, stray)
    yield from _missing(schedule, visits, stray)


def _complete(f: _Bools, b: _Bools, i: _Bools, w: _Bools) -> bool:
    """Whether every stage of every micro-batch has a forward and one backward: the usual case, fast."""
    if not i.any() and not w.any():
        return bool(f.all() and b.all())
    return bool((f & (b ^ (i & w)) & ~(b & (i | w))).all())


def _stray_ids(visits: _Visits) -> _Ints:
    """Micro-batches on fewer than half of the stages: more likely a wrong id than ops left out."""
    ids, count = np.unique(visits.microbatch, return_counts=True)
    return ids[2 * count < len(np.unique(visits.stage))]


def _by_microbatch(visits: _Visits) -> Callable[[int], _Ints]:
    """A look-up of the stages that a micro-batch visits, ascending."""
    order = np.argsort(visits.microbatch, kind="stable")
    ids, stages = visits.microbatch[order], visits.stage[order]

    def stages_of(microbatch: int) -> _Ints:
        return stages[slice(*np.searchsorted(ids, (microbatch, microbatch + 1)))]

    return stages_of


def _strays(schedule: Schedule, visits: _Visits, stray: _Ints) -> Iterator[Violation]:
    """Micro-batches that stand on a few stages only."""
    on_stages, first = _by_microbatch(visits), True
    for i in np.flatnonzero(np.isin(visits.microbatch, stray)).tolist():
        op = int(visits.op[i])
        on = on_stages(int(visits.microbatch[i])).tolist()
        stages = f"stage {on[0]} only" if len(on) == 1 else f"stages {', '.join(map(str, on))} only"
        message = (
            f"{schedule.op(op)} has no other stage: micro-batch {visits.microbatch[i]} stands on {stages} "
            f"({place(schedule, op)}){meant(schedule, [op]) if first else ''}"
        )
        first = False
        yield at(schedule, "stray", op, message)


def _gaps(visits: _Visits, stray: _Ints) -> Iterator[Violation]:
    """Numbers left out in the stages or the micro-batches."""
    stages = np.unique(visits.stage)
    for low, high in _holes(stages):
        which = f"stage {low}" if low == high else f"stages {low}..{high}"
        between = (
            f" between {low - 1} and {high + 1}" if low else f": stages must start at 0 (found {stages[0]})"
        )
        yield Violation("missing-stage", None, None, None, f"{which} missing{between}")
    ids = np.setdiff1d(visits.microbatch, stray)
    found = ", ".join(map(str, ids[:8].tolist())) + (", ..." if len(ids) > 8 else "")
    for low, high in _holes(ids):
        which = f"micro-batch {low}" if low == high else f"micro-batches {low}..{high}"
        message = f"{which} missing: ids must run 0..m-1 (found {found})"
        yield Violation("missing-microbatch", None, None, None, message)


def _holes(ids: _Ints) -> list[tuple[int, int]]:
    """Runs of numbers missing from 0..max of ascending ids."""
    full = np.concatenate(([-1], ids.astype(np.int64)))
    return [(int(full[i]) + 1, int(full[i + 1]) - 1) for i in np.flatnonzero(np.diff(full) > 1).tolist()]


def _missing(schedule: Schedule, visits: _Visits, stray: _Ints) -> Iterator[Violation]:
    """Ops left out."""
    yield from _never_there(schedule, visits, stray)
    f, b, i, w = visits.has
    cases = (
        (f & ~b & ~i & ~w, Kind.B, "{op} missing: stage {s}, micro-batch {m} has a forward and no backward"),
        (~f & (b | i), Kind.F, "{op} missing: stage {s}, micro-batch {m} has a backward and no forward"),
        (w & ~b & ~i, Kind.I, "{op} missing: {s}W{m} has no input gradient before it"),
        (i & ~b & ~w, Kind.W, "{s}I{m} has no {op}: its weight gradient is missing"),
    )
    for where, kind, sentence in cases:
        for at_visit in np.flatnonzero(where & ~np.isin(visits.microbatch, stray)).tolist():
            s, m = int(visits.stage[at_visit]), int(visits.microbatch[at_visit])
            lacking = Op(kind, s, m)
            there = int(visits.op[at_visit])
            message = f"{sentence.format(op=lacking, s=s, m=m)} ({place(schedule, there)})"
            found = at(schedule, "missing", there, message)
            yield Violation("missing", str(lacking), found.device, found.position, found.message)


def _never_there(schedule: Schedule, visits: _Visits, stray: _Ints) -> Iterator[Violation]:
    """Micro-batches that skip a stage altogether."""
    stages = np.unique(visits.stage)
    ids, count = np.unique(visits.microbatch, return_counts=True)
    on_stages = _by_microbatch(visits)
    for m in np.setdiff1d(ids[count < len(stages)], stray).tolist():
        for s in np.setdiff1d(stages, on_stages(m)).tolist():
            forward, backward = Op(Kind.F, s, m), Op(Kind.B, s, m)
            holders = [d for d, held in enumerate(schedule.placement.stages) if s in held]
            device = holders[0] if len(holders) == 1 else None
            message = f"{forward} and {backward} missing: micro-batch {m} never runs on stage {s}"
            yield Violation("missing", str(forward), device, None, message)
