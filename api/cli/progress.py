"""Progress bars: on a terminal, on stderr, gone when the work is done."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_TEXT = "{task.description}"


def picture_bar() -> Progress:
    """Counts pictures and steps; says which is looked at."""
    return _bar(BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn(_TEXT))


def film_bar() -> Progress:
    """A recording in percent, with the time that is left."""
    return _bar(TextColumn(_TEXT), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())


def _bar(*columns: ProgressColumn) -> Progress:
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
