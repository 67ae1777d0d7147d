"""View collector: which pictures of a running camera are taken, and what to do with the board next."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import to_gray
from calibration.intrinsics.board_detection import Board, BoardView, detect_board
from calibration.intrinsics.next_view import FEWEST_VIEWS, Hint, next_view
from calibration.intrinsics.projection_uncertainty import lens_sigma_mm

MOST_VIEWS = 40
_STILL = 0.0015  # of the picture's width between two looks: more is blurred by the movement
_OTHER = 0.04  # of the picture's width: a view that differs less from one that was taken tells nothing new


@dataclass(frozen=True)
class CollectorStep:
    """What one picture brought. `says` is for the one who holds the board."""

    says: str
    was_taken: bool
    is_done: bool
    doubt_mm: float | None


class ViewCollector:
    """Takes a view when the board is held still in a new place, until the lens is known well enough over a table."""

    def __init__(
        self, board: Board, *, table_mm: tuple[float, float], limit_mm: float, must_be_still: bool = True
    ) -> None:
        self.images: list[tuple[str, Image]] = []
        self.views: list[BoardView] = []
        self._board, self._table_mm, self._limit_mm = board, table_mm, limit_mm
        self._must_be_still = must_be_still
        self._last: BoardView | None = None
        self._size: tuple[int, int] | None = None
        self._doubt: Floats | None = None

    def add_image(self, image: Image) -> CollectorStep:
        """Look at one more picture."""
        height, width = image.shape[:2]
        self._size = (width, height)
        view = detect_board(f"view{len(self.images) + 1:02d}", to_gray(image), self._board)
        last, self._last = self._last, view
        if view is None:
            return self._step("show the board to the camera")
        if self._must_be_still and (last is None or _median_distance_px(last, view) > _STILL * width):
            return self._step("hold the board still")
        if any(_median_distance_px(taken, view) < _OTHER * width for taken in self.views):
            return self._step(self._instruct())
        self._take(view, image)
        return self._step(self._instruct(), was_taken=True)

    def _take(self, view: BoardView, image: Image) -> None:
        assert self._size is not None
        self.views.append(view)
        self.images.append((view.name, image.copy()))
        if len(self.views) >= FEWEST_VIEWS and next_view(self.views, self._size) is None:
            self._doubt = lens_sigma_mm(self.views, self._size, table_mm=self._table_mm)

    def _hint(self) -> Hint | None:
        assert self._size is not None
        hint = next_view(self.views, self._size, doubt_mm=self._doubt, limit_mm=self._limit_mm)
        if hint is None and self._doubt is None:
            return Hint("more", "another tilted view: no lens explains these yet")
        return hint

    def _instruct(self) -> str:
        hint = self._hint()
        return "done: the lens is known well enough" if hint is None else hint.says

    def _step(self, says: str, *, was_taken: bool = False) -> CollectorStep:
        is_done = bool(self.views) and (self._hint() is None or len(self.views) >= MOST_VIEWS)
        doubt_mm = None if self._doubt is None else float(self._doubt.max())
        return CollectorStep(says, was_taken, is_done, doubt_mm)


def _median_distance_px(view: BoardView, other: BoardView) -> float:
    """How far the points that both show lie apart in the picture, usually; far when they share too few."""
    places = {tuple(place): at for place, at in zip(view.points_mm.tolist(), view.seen_px, strict=True)}
    off = [
        np.hypot(*(at - places[tuple(place)]))
        for place, at in zip(other.points_mm.tolist(), other.seen_px, strict=True)
        if tuple(place) in places
    ]
    return float(np.median(off)) if len(off) >= 4 else float("inf")
