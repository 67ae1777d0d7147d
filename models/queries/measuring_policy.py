"""Measuring policy: what may be measured now, and who is told."""

from typing import TYPE_CHECKING, Literal

from models.queries.base import EVERY, OPEN, BaseQuery

if TYPE_CHECKING:
    Query = BaseQuery


class MayMeasure(BaseQuery):
    """May I measure that now?

    Yes: licensed now. Gives `licence`, `disclosed` (verdict or figures), `cap_mm` and `tell` (who hears it); else
    `unlock` says what would open it.
    """

    EDITIONS = EVERY | OPEN
    RULES = {"warmachine-prime": "measure-anything", "warmachine-mk1": "measure-permission"}
    kind: Literal["may-measure"] = "may-measure"
    query: "Query"
