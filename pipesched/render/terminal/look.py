"""How a picture is drawn: in which colours, or in which characters where there are none."""

from typing import NamedTuple

from pipesched.render.terminal.colors import Colors


class Look(NamedTuple):
    """Shared by all charts of a picture."""

    colors: Colors
    ascii: bool

    @property
    def in_color(self) -> bool:
        """Whether cells are fills, not letters."""
        return self.colors.system is not None

    @property
    def idle(self) -> str:
        """What marks a column of idle time in letters."""
        return "." if self.ascii else "·"

    @property
    def bars(self) -> str:
        """Marks of the left and the right edge of a column."""
        return "||" if self.ascii else "▏▕"

    @property
    def zigzag(self) -> str:
        """Marks of a break in the axis, for even and odd lines."""
        return "/\\" if self.ascii else "╱╲"  # noqa: RUF001

    @property
    def dots(self) -> str:
        """What stands for what is left out."""
        return "..." if self.ascii else "…"
