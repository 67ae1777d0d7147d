"""(TableState, Query) -> Verdict: pure geometry and rules, one folder per rulebook edition.

May import models only: no cv2, no files, no clock, no log.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.editions.registry import EDITIONS, edition_of
    from referee.verdicts.ask import ask

__all__ = ["EDITIONS", "ask", "edition_of"]


def __getattr__(name: str) -> Any:
    """Lazy import: the rulebooks are loaded when first asked for, so that geometry alone loads none of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.editions.registry import EDITIONS, edition_of
    from referee.verdicts.ask import ask

    globals().update(EDITIONS=EDITIONS, ask=ask, edition_of=edition_of)
    return globals()[name]
