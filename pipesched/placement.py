"""Which device holds which stage, and which way the micro-batches run through it.

A *flow* is a way through the devices. One flow is the rule; bidirectional schedules have two:
flow 0 enters at device 0, flow 1 at the last device.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pipesched.words import count


@dataclass(frozen=True)
class Placement:
    """``stages[d][c]`` is the stage of device d's chunk c (ascending); ``flows[d][c]`` the flow it serves."""

    stages: tuple[tuple[int, ...], ...]
    flows: tuple[tuple[int, ...], ...]

    @property
    def devices(self) -> int:
        """Number of devices, P."""
        return len(self.stages)

    @cached_property
    def n_stages(self) -> int:
        """Number of stages, S: the highest plus one."""
        return max((stage for held in self.stages for stage in held), default=-1) + 1

    @cached_property
    def n_flows(self) -> int:
        """Number of ways through the devices: 1, or 2 for two directions."""
        return max((flow for served in self.flows for flow in served), default=0) + 1

    @property
    def copies(self) -> float:
        """How often the model's parameters are held over all devices: 1.0, or 2.0 for two directions."""
        return sum(map(len, self.stages)) / max(self.n_stages, 1)

    def problem(self, devices: int) -> str:
        """What is wrong with it for so many devices, completing "the placement "; empty where nothing is.

        For placements from outside: ours are right by construction.
        """
        if len(self.stages) != devices or list(map(len, self.flows)) != list(map(len, self.stages)):
            shown = [count(len(rows), "device") for rows in (self.stages, self.flows)]
            return f"has stages of {shown[0]} and flows of {shown[1]}, for {count(devices, 'device')}"
        ids = [number for row in (*self.stages, *self.flows) for number in row]
        wrong = [each for each in ids if not (isinstance(each, int | np.integer) and 0 <= each < len(ids))]
        if wrong:
            return f"has an id of {wrong[0]!r}: stages and flows are numbered 0, 1, ..."
        for d, row in enumerate(self.stages):
            if list(row) != sorted(set(row)):
                return f"has stages {', '.join(map(str, row))} on device {d}: they must ascend, each once"
        return ""

    def shades(self, device: int) -> list[int]:
        """0, 1, ... for each chunk of a device: tells apart the flows, and within a flow the chunks."""
        before = [0] * self.n_flows
        found = []
        for flow in self.flows[device]:
            found.append(flow + before[flow] * self.n_flows)
            before[flow] += 1
        return found


def one_way(stages: Sequence[Sequence[int]]) -> Placement:
    """A placement with a single flow, from each device's stages."""
    held = tuple(tuple(sorted(row)) for row in stages)
    return Placement(held, tuple((0,) * len(row) for row in held))


def linear(devices: int, chunks: int = 1) -> Placement:
    """Stage s on device s % devices: one stage a device, or ``chunks`` of them in a loop."""
    return one_way([[chunk * devices + d for chunk in range(chunks)] for d in range(devices)])


def v_shape(devices: int, chunks: int = 2) -> Placement:
    """Down the devices and back up: device r holds stages r and 2 x devices - 1 - r."""
    return one_way([[d, chunks * devices - 1 - d] for d in range(devices)])


def zigzag(devices: int, chunks: int = 2) -> Placement:
    """Down the devices, back up, down again ...: V-shaped for two chunks, W-shaped for four."""
    return one_way([[_zigzag_stage(d, chunk, devices) for chunk in range(chunks)] for d in range(devices)])


def bidirectional_zigzag(devices: int, chunks: int = 4) -> Placement:
    """Every stage twice: half the chunks are those of :func:`zigzag`, half those of the mirrored device."""
    held = [
        sorted(
            (_zigzag_stage(devices - 1 - d if flow else d, chunk, devices), flow)
            for flow in (0, 1)
            for chunk in range(chunks // 2)
        )
        for d in range(devices)
    ]
    return Placement(
        tuple(tuple(stage for stage, _ in row) for row in held),
        tuple(tuple(flow for _, flow in row) for row in held),
    )


def _zigzag_stage(device: int, chunk: int, devices: int) -> int:
    return chunk * devices + (devices - 1 - device if chunk % 2 else device)


def bidirectional(devices: int, chunks: int = 2) -> Placement:
    """Every stage twice: flow 0 has stage s on device s, flow 1 on device P-1-s."""
    pairs = [sorted(((d, 0), (devices - 1 - d, 1))) for d in range(devices)]
    return Placement(
        tuple(tuple(stage for stage, _ in pair[:chunks]) for pair in pairs),
        tuple(tuple(flow for _, flow in pair[:chunks]) for pair in pairs),
    )


def infer(
    device: npt.NDArray[np.int32],
    stage: npt.NDArray[np.int32],
    microbatch: npt.NDArray[np.int32],
    devices: int,
) -> Placement:
    """The placement that an op list shows; each column has one entry per op.

    Where a stage stands on two devices, micro-batches that enter at different devices belong to
    different flows, numbered by their lowest micro-batch.
    """
    width = int(stage.max(initial=0)) + 1
    held, first = np.unique(device.astype(np.int64) * width + stage, return_index=True)
    replicated = len(set((held % width).tolist())) < len(held)
    flow = _flows(device, stage, microbatch) if replicated else np.zeros(len(device), dtype=np.int64)
    stages: list[list[int]] = [[] for _ in range(devices)]
    flows: list[list[int]] = [[] for _ in range(devices)]
    for key, op in zip(held.tolist(), first.tolist(), strict=True):
        stages[key // width].append(key % width)
        flows[key // width].append(int(flow[op]))
    return Placement(tuple(map(tuple, stages)), tuple(map(tuple, flows)))


def _flows(
    device: npt.NDArray[np.int32], stage: npt.NDArray[np.int32], microbatch: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64]:
    """Each op's flow: its micro-batch's entry device, numbered in order of first micro-batch."""
    order = np.lexsort((stage, microbatch))  # by micro-batch, its lowest stage first
    _, start, inverse = np.unique(microbatch[order], return_index=True, return_inverse=True)
    _, first, entry = np.unique(device[order][start], return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    flow = np.empty(len(device), dtype=np.int64)
    flow[order] = number[entry][inverse]
    return flow
