"""(TableState, Query) -> Verdict: pure geometry and rules, one folder per rulebook edition.

May import models only: no cv2, no files, no clock, no log.
"""

from referee.asking import ask
from referee.editions import EDITIONS

__all__ = ["EDITIONS", "ask"]
