"""Run by test_torch.py: one training step of torch's runtime on each of two processes, from our files.

Prints the largest difference to the gradients that plain autograd gives, for each way of lowering.
"""

import json
import sys
from pathlib import Path

import torch
import torch.multiprocessing
from torch import distributed, nn
from torch.distributed.pipelining import PipelineStage
from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime

from pipesched.formats import torch_csv
from pipesched.generators import find
from pipesched.transfers import RECV, lower

RANKS, MICROBATCHES, WIDTH = 2, 4, 8


def layers(count):
    torch.manual_seed(0)
    return [nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh()) for _ in range(count)]


def loss(output, target):
    return ((output - target) ** 2).sum()


def step(rank, schedule, text, *, comms, defer):
    """One step; the largest difference of this rank's gradients."""
    path = Path(sys.argv[1]) / f"rank{rank}.csv"
    path.write_text(text)
    modules, reference = layers(schedule.stages), layers(schedule.stages)
    data, target = torch.randn(2, MICROBATCHES, WIDTH)
    (loss(nn.Sequential(*reference)(data), target) / MICROBATCHES).backward()
    held = schedule.placement.stages[rank]
    stages = [PipelineStage(modules[s], s, schedule.stages, torch.device("cpu")) for s in held]
    runtime = _PipelineScheduleRuntime(stages, MICROBATCHES, loss_fn=loss, defer_pp_recv=defer)
    runtime._load_csv(str(path), format="compute_comms" if comms else "compute_only")
    last = {"target": target, "losses": []} if schedule.stages - 1 in held else {}
    runtime.step(*([data] if 0 in held else []), **last)
    pairs = [
        (mine.grad, theirs.grad)
        for s in held
        for mine, theirs in zip(modules[s].parameters(), reference[s].parameters(), strict=True)
    ]
    return max(float((mine - theirs).abs().max()) for mine, theirs in pairs)


def worker(rank, directory):
    distributed.init_process_group(
        "gloo", init_method=f"file://{directory}/meeting", rank=rank, world_size=RANKS
    )
    found = {}
    for name in ("1f1b-v", "zbv"):
        schedule = find(name).generate(RANKS, MICROBATCHES)
        compute = "".join(torch_csv.write(schedule))
        found[f"{name} torch"] = step(rank, schedule, compute, comms=False, defer=False)
        found[f"{name} torch deferred"] = step(rank, schedule, compute, comms=False, defer=True)
        for recv in RECV:
            text = "".join(torch_csv.write(lower(schedule, recv)))
            found[f"{name} {recv}"] = step(rank, schedule, text, comms=True, defer=False)
    (Path(directory) / f"found{rank}.json").write_text(json.dumps(found))
    distributed.destroy_process_group()


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[1:2]
    torch.multiprocessing.spawn(worker, (sys.argv[1],), nprocs=RANKS)
