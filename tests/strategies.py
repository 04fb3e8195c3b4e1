"""Random schedules that can run, and the longest path through one, written independently of the package."""

import networkx as nx
from hypothesis import strategies as st

from pipesched.ops import Kind, Op
from pipesched.schedule import Schedule


@st.composite
def schedules(draw, most_stages=5, most_microbatches=4, flows=1):
    """Any placement; whole or split backwards; some pairs; any legal order.

    With two ``flows``, every other micro-batch has a placement of its own, so stages stand on two devices.

    Ops are emitted one at a time (or a pair at a time) once all they need has been emitted, so every
    device's list, in order of emission, can run.
    """
    n_stages = draw(st.integers(1, most_stages))
    n_microbatches = draw(st.integers(1, most_microbatches))
    n_devices = draw(st.integers(1, n_stages))
    spare = n_stages - n_devices
    device_of = [
        draw(
            st.permutations(
                [
                    *range(n_devices),
                    *draw(st.lists(st.integers(0, n_devices - 1), min_size=spare, max_size=spare)),
                ]
            )
        )
        for _ in range(flows)
    ]
    split = draw(st.sets(st.tuples(st.integers(0, n_stages - 1), st.integers(0, n_microbatches - 1))))
    left = set()
    for s in range(n_stages):
        for m in range(n_microbatches):
            kinds = (Kind.F, Kind.I, Kind.W) if (s, m) in split else (Kind.F, Kind.B)
            left.update(Op(kind, s, m) for kind in kinds)
    done, rows = set(), [[] for _ in range(n_devices)]
    random = draw(st.randoms(use_true_random=False))
    while left:
        ready = sorted(op for op in left if all(need in done for need in needed(op, n_stages, split)))
        op = random.choice(ready)
        d = device_of[op.microbatch % flows][op.stage]
        on_d = [b for b in ready if b.kind == Kind.B and device_of[b.microbatch % flows][b.stage] == d]
        partners = on_d if op.kind == Kind.F else []
        turn = (op, random.choice(partners)) if partners and random.random() < 0.5 else (op,)
        rows[d].append(turn)
        done.update(turn)
        left.difference_update(turn)
    return Schedule.from_rows("random", rows)


def needed(op, n_stages, split):
    """What an op waits for, in so many words."""
    kind, s, m = op
    if kind == Kind.F:
        return [Op(Kind.F, s - 1, m)] if s > 0 else []
    if kind == Kind.W:
        return [Op(Kind.I, s, m)]
    needs = [Op(Kind.F, s, m)]
    if s < n_stages - 1:
        needs.append(Op(Kind.I if (s + 1, m) in split else Kind.B, s + 1, m))
    return needs


def longest_path(schedule, costs):
    """End of every slot by networkx: (device, position) -> time."""
    slot_of, durations, graph = {}, {}, nx.DiGraph()
    for d in range(schedule.devices):
        for position, k in enumerate(range(schedule.first_slot[d], schedule.first_slot[d + 1])):
            ops = [schedule.op(i) for i in range(schedule.slot_op[k], schedule.slot_op[k + 1])]
            durations[k] = _duration(ops, costs)
            graph.add_node(k)
            if position:
                graph.add_edge(k - 1, k, lag=0.0)
            slot_of.update((op, (k, d)) for op in ops)
    split = {(op.stage, op.microbatch) for op in slot_of if op.kind == Kind.I}
    for op, (k, d) in slot_of.items():
        for other, e in (slot_of[need] for need in needed(op, schedule.stages, split)):
            lag = costs.latency if d != e else 0.0
            if graph.has_edge(other, k):
                lag = max(lag, graph[other][k]["lag"])
            graph.add_edge(other, k, lag=lag)
    end = {}
    for k in nx.topological_sort(graph):
        end[k] = max((end[j] + graph[j][k]["lag"] for j in graph.predecessors(k)), default=0.0) + durations[k]
    return [end[k] for k in range(schedule.n_slots)]


def _duration(ops, costs):
    def time(key, stage):
        value = getattr(costs, key)
        return value[stage] if isinstance(value, tuple) else value

    if len(ops) == 2:
        if costs.FB is not None:
            return time("FB", ops[0].stage)
        return time("F", ops[0].stage) + time("B", ops[1].stage)
    return time(ops[0].kind.name, ops[0].stage)
