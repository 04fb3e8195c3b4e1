"""The picture of a schedule with more ops than can be drawn one by one.

Each lane is cut into columns of equal time. A column shows the share of its time that each tone takes,
stacked from the bottom of the lane; what is left blank at the top is idle, and never rounded away.
"""

import struct
import zlib
from base64 import b64encode

import numpy as np
import numpy.typing as npt

from pipesched.ops import Kind
from pipesched.render.chart import tone
from pipesched.timeline import Floats

Pixels = npt.NDArray[np.uint8]

#: Palette index of what lies between lanes, of idle, and of the first tone.
_BETWEEN, _IDLE, _FIRST_TONE = 0, 1, 2


def columns(lanes: int) -> int:
    """Into how many columns to cut the time: as fine as a screen for many lanes, finer for few."""
    return max(400, min(4000, 160_000 // max(lanes, 1)))


def pixels(covered: Floats) -> Pixels:
    """Palette indices, uint8[lanes x pitch, columns], of a coverage float64[lanes, columns, tones]."""
    lanes, bins, tones = covered.shape
    rows = max(4, min(16, 1024 // max(lanes, 1)))
    # Rounded down, so that the least idle time keeps a row.
    levels = np.floor(np.cumsum(covered, axis=2) * rows + 1e-6)
    height = np.arange(rows)[::-1, None, None]  # of each row over the lane's bottom
    filled = (height[None] >= levels[:, None]).sum(axis=3)  # how many tones end below it
    lane = np.where(filled == tones, _IDLE, _FIRST_TONE + filled).astype(np.uint8)
    picture = np.full((lanes, rows + 2, bins), _BETWEEN, dtype=np.uint8)
    picture[:, 1:-1] = lane
    return picture.reshape(lanes * (rows + 2), bins)


def picture(covered: Floats) -> str:
    """The pixels of a coverage as a PNG in a data URI."""
    return "data:image/png;base64," + b64encode(_png(pixels(covered))).decode()


def _png(indices: Pixels) -> bytes:
    """A PNG with a palette (W3C PNG specification, section 11)."""
    height, width = indices.shape
    tones = [tone(kind, shade).fill for kind in Kind for shade in range(2)]
    palette = b"\0\0\0" + b"\x7f\x7f\x7f" + b"".join(bytes.fromhex(fill[1:]) for fill in tones)
    lines = np.concatenate((np.zeros((height, 1), dtype=np.uint8), indices), axis=1)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _png_chunk(name, content)
        for name, content in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", palette),
            (b"tRNS", bytes((0, 26))),  # nothing between lanes, a trace of grey where idle
            (b"IDAT", zlib.compress(lines.tobytes(), 6)),
            (b"IEND", b""),
        )
    )


def _png_chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)
