"""The ruler and lanes of the full-screen viewer, as a textual widget."""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from pipesched.render.terminal.colors import Colors
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.panel import Panel
from pipesched.render.terminal.scale import zoomed
from pipesched.render.tui.state import State

_CURSOR = Style(reverse=True, bold=True)
#: Lines of the screen that are kept for everything else.
_REST = 12


class Lanes(Widget):
    """The ruler and the lanes of one schedule, as much of them as fits."""

    DEFAULT_CSS = "Lanes { height: auto; }"

    def __init__(self, states: list[State], system: str | None) -> None:
        super().__init__()
        self.states = states
        self.number = 0
        self.system = system
        self._strips: list[Strip] = []

    @property
    def state(self) -> State:
        """Of the schedule that is shown."""
        return self.states[self.number]

    @property
    def margin(self) -> int:
        """Columns left of the lanes."""
        return len(str(max(self.state.chart.lanes, default=0))) + 2

    @property
    def columns(self) -> int:
        """Columns of the lanes."""
        return max(self.size.width - self.margin, 1)

    @property
    def pitch(self) -> int:
        """Lines of a lane: one more where there are marks to be pointed at."""
        return 1 if self.state.chart.marks is None else 2

    @property
    def shown(self) -> int:
        """How many lanes fit."""
        return max((self.size.height - 1) // self.pitch, 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line for the ruler and those of each lane, while they leave room for the rest."""
        del container, width
        return min(self.pitch * len(self.state.chart.lanes) + 1, max(viewport.height - _REST, 1 + self.pitch))

    def draw(self) -> None:
        """Paint the window anew."""
        state = self.state
        if not state.rate:
            state.fit(self.columns)
        state.limits(self.columns)
        state.move(0, self.shown)
        t1 = min(state.t0 + self.columns / state.rate, state.makespan)
        window = state.chart.window(state.t0, t1, range(state.top, state.top + self.shown))
        scale = zoomed([window], state.t0, self.columns, state.rate)
        panel = Panel(window, scale, self.look, self.margin)
        lines = [[Segment(" " * self.margin), Segment(panel.times)]]
        for lane, (line, *under) in enumerate(panel.lanes(), state.top):
            lines += [self._with_cursor(line) if lane == state.lane else line, *under]
            lines += [[]] * (self.pitch - 1 - len(under))
        self._strips = [Strip(line) for line in lines]
        self.refresh()

    def _with_cursor(self, line: list[Segment]) -> list[Segment]:
        """The line with the cell under the cursor in reverse, or at least one column of it."""
        state = self.state
        start, end = ((time - state.t0) * state.rate for time in state.span())
        left = self.margin + min(max(round(start), 0), self.columns - 1)
        right = max(self.margin + min(round(end), self.columns), left + 1)
        before, inside, after = Strip(line).divide([left, right, self.margin + self.columns])
        text = "".join(segment.text for segment in inside)
        mark = Segment("".join(c if c.isalnum() or c == "&" else " " for c in text), _CURSOR)
        number = Segment(before.text[: self.margin - 1], _CURSOR)
        return [number, *before.crop(self.margin - 1), mark, *after]

    @property
    def look(self) -> Look:
        """The colours of the terminal, or letters."""
        return Look(Colors([self.state.chart], "kind", self.system), ascii=False)

    def render_line(self, y: int) -> Strip:
        """One line, as it was painted."""
        blank = Strip.blank(self.size.width)
        return self._strips[y].adjust_cell_length(self.size.width) if y < len(self._strips) else blank

    def on_resize(self, event: events.Resize) -> None:
        """More or less fits."""
        del event
        self.draw()

    async def on_click(self, event: events.Click) -> None:
        """Put the cursor under the mouse, and explain what is there."""
        state = self.state
        if event.y < 1 or event.x < self.margin:
            return
        state.move(state.top + (event.y - 1) // self.pitch - state.lane, self.shown)
        state.time = min(state.t0 + (event.x - self.margin) / state.rate, state.makespan)
        await self.app.run_action("explain")
