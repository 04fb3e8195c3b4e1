"""How a figure is to look."""

from dataclasses import dataclass

from pipesched.choices import FigureTheme

#: How wide a figure is unless asked otherwise.
WIDTH = "180mm"


@dataclass(frozen=True, kw_only=True)
class Look:
    """Everything that may be chosen of a figure; what it shows is the charts' business.

    ``width`` is a number and ``mm``, ``cm``, ``in``, ``pt`` or ``px``, None for what the format has by
    itself. ``theme`` is ``print`` (inks apart on a grey printer, no background), ``screen`` or ``dark``.
    ``titles`` are one for each chart, ``""`` for none; ``()`` for none at all, None for the charts' own.
    ``legend`` and ``caption`` (the cost model, and what else must be said) stand under the lanes, and so
    does the time axis: a ``ruler`` with numbers, or an arrow.
    """

    width: str | None = None
    theme: FigureTheme = "print"
    titles: tuple[str, ...] | None = None
    legend: bool = True
    caption: bool = True
    ruler: bool = True
