"""The words that callers choose among, in the order in which they are listed; the first is the default."""

from typing import Literal, NamedTuple, get_args

#: Whether transfers run beside the compute or hold the device up.
Comm = Literal["async", "blocking"]
#: Whether a send completes at once, or with its receive.
Send = Literal["buffered", "rendezvous"]
#: What carries one transfer at a time: a direction between two devices, the pair, or all of a device's.
Channels = Literal["direction", "pair", "shared"]
#: Where receives stand in lowered lists.
Recv = Literal["early", "late", "paired"]
#: What B means where formulas are printed: the whole backward, or the input's alone.
Dialect = Literal["deepseek", "zero-bubble"]
#: What B means in a CSV file that is read: the whole backward, the input's alone, or what fits.
CsvDialect = Literal["auto", "torch", "b-input"]
#: What compared schedules have in common: their devices, or their stages.
Equal = Literal["devices", "stages"]
#: What a colour means in the terminal.
ColorBy = Literal["kind", "microbatch", "stage", "slack"]
#: How a figure is coloured: for grey printers too, for a white page, for a dark one.
FigureTheme = Literal["print", "screen", "dark"]

ASYNC, BLOCKING = COMM = get_args(Comm)
BUFFERED, RENDEZVOUS = SEND = get_args(Send)
DIRECTION, PAIR, SHARED = CHANNELS = get_args(Channels)


class Mode(NamedTuple):
    """How transfers run: ``comm`` async or blocking, ``send`` buffered or rendezvous, and which ``channels``.

    One of each of :data:`COMM`, :data:`SEND`, :data:`CHANNELS`; :mod:`pipesched.channels` runs them.
    """

    comm: str = ASYNC
    send: str = BUFFERED
    channels: str = DIRECTION

    def __str__(self) -> str:
        return f"--comm {self.comm} --send {self.send} --channels {self.channels}"
