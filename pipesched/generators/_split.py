"""Split backwards with weight gradients that lag behind: what the zero-bubble schedules share."""

from itertools import zip_longest

from pipesched.program import Program, Step, W


def lagging(forwards: Program, inputs: Program, warmup: int, lag: int) -> Program:
    """Warm up with forwards, then for each input gradient: the next forward if any is left, I, W.

    The weight gradients start only after ``lag`` input gradients, and the ones still owed close.
    """
    order: list[Step] = list(forwards[:warmup])
    for done, (f, i) in enumerate(zip_longest(forwards[warmup:], inputs)):
        order += [i] if f is None else [f, i]
        if done >= lag:
            order.append(W)
    return order + min(lag, len(inputs)) * [W]
