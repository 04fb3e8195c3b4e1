"""The full-screen viewer in the terminal: needs textual."""

from typing import ClassVar

from rich.console import Group
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from pipesched.analysis.explain import explain_op
from pipesched.analysis.waiting import BUSY, explain_device
from pipesched.ops import parse_slot
from pipesched.render.chart import chart
from pipesched.render.terminal.legend import flow, legend
from pipesched.render.text.explanation import device_lines, op_lines
from pipesched.render.text.summary import num
from pipesched.render.tui.lanes import Lanes
from pipesched.render.tui.state import State
from pipesched.timeline import Timeline

HELP = "←→ pan  ↑↓ device  , . cell  + - zoom  0 all  enter explain  tab next schedule  q quit"


class Viewer(App[None]):
    """Schedules one at a time, to walk through; ``system`` is rich's name of the terminal's colours."""

    CSS = """
    Screen { background: transparent; }
    #title { height: 1; text-style: bold; }
    #legend { height: auto; max-height: 4; margin-top: 1; }
    #said { height: 1fr; margin-top: 1; }
    #help { height: 1; dock: bottom; text-style: reverse; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "pan(-1)"),
        Binding("right", "pan(1)"),
        Binding("shift+left,pageup", "pan(-6)"),
        Binding("shift+right,pagedown", "pan(6)"),
        Binding("up", "move(-1)"),
        Binding("down", "move(1)"),
        Binding("comma", "step(-1)"),
        Binding("full_stop", "step(1)"),
        Binding("plus,equals_sign", "zoom(1)"),
        Binding("minus", "zoom(-1)"),
        Binding("0", "all"),
        Binding("enter", "explain"),
        Binding("tab", "turn(1)", priority=True),
        Binding("shift+tab", "turn(-1)", priority=True),
        Binding("q,escape", "quit"),
    ]

    def __init__(self, timelines: list[Timeline], *, system: str | None = "truecolor") -> None:
        super().__init__(ansi_color=True)
        self.lanes = Lanes([State(timeline, chart(timeline)) for timeline in timelines], system)
        self.heading = Static(id="title", markup=False)
        self.key = Static(id="legend", markup=False)
        self.said = Static(id="said", markup=False)

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield self.heading
        yield self.lanes
        yield self.key
        yield self.said
        yield Static(HELP, id="help", markup=False)

    def on_mount(self) -> None:
        """The first schedule."""
        self.action_turn(0)

    @property
    def state(self) -> State:
        """Of the schedule that is shown."""
        return self.lanes.state

    def action_turn(self, by: int) -> None:
        """The next schedule."""
        self.lanes.number = (self.lanes.number + by) % len(self.lanes.states)
        drawn = self.state.chart
        which = (
            f" ({self.lanes.number + 1} of {len(self.lanes.states)})" if len(self.lanes.states) > 1 else ""
        )
        self.heading.update(f"{drawn.title}; time in {drawn.unit}{which}")
        self.key.update(Group(*flow(legend([drawn], self.lanes.look), max(self.size.width, 20))))
        self.said.update("\n".join([*drawn.caption, f"makespan {num(self.state.makespan)} {drawn.unit}"]))
        self.lanes.refresh(layout=True)
        self.lanes.draw()

    def action_pan(self, eighths: int) -> None:
        """Move the window by eighths of it; where it cannot move, the cursor by a cell."""
        before = self.state.t0
        self.state.pan(self.lanes.columns, eighths * self.lanes.columns / 8)
        if self.state.t0 == before:
            self.state.step(eighths, self.lanes.columns)
        self.lanes.draw()

    def action_step(self, cells: int) -> None:
        """Move the cursor by cells."""
        self.state.step(cells, self.lanes.columns)
        self.lanes.draw()

    def action_move(self, by: int) -> None:
        """Move the cursor up or down."""
        self.state.move(by, self.lanes.shown)
        self.lanes.draw()

    def action_zoom(self, steps: int) -> None:
        """Closer or wider."""
        self.state.zoom(steps, self.lanes.columns)
        self.lanes.draw()

    def action_all(self) -> None:
        """The whole schedule."""
        self.state.fit(self.lanes.columns)
        self.lanes.draw()

    def action_explain(self) -> None:
        """What the cell under the cursor waits for, and what waits for it; or why the device is idle."""
        self.lanes.draw()
        self.said.update("\n".join(explanation(self.state)))


def explanation(state: State) -> list[str]:
    """Of the cell, or the gap, under the cursor."""
    start, end = state.span()
    unit = state.chart.unit
    found = explain_device(state.timeline, state.lane, min((start + end) / 2, state.makespan))
    if found.state != BUSY or found.slot is None:
        return device_lines(found, unit)
    slot = parse_slot(found.slot)
    return [] if slot is None else op_lines(explain_op(state.timeline, slot), unit)
