"""Picture intake: which pages each picture shows, and which pictures are of no use, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.setup.pages import PAGES, PageView, detect_pages, is_mirrored
from models.errors import BadInput

_SHARP_PX = 4.0  # blur from which pages cannot be read any more
_LEAST_CONTRAST = 40.0  # grey levels


@dataclass
class Intake:
    """The pages of all pictures that show two at least."""

    names: list[str] = field(default_factory=list)
    views: list[PageView] = field(default_factory=list)
    size: tuple[int, int] = (0, 0)
    remarks: list[str] = field(default_factory=list)

    def add(self, name: str, gray: Image) -> None:
        """Raises: BadInput for a picture of another size, and for pages printed mirrored."""
        here = (gray.shape[1], gray.shape[0])
        if self.size not in ((0, 0), here):
            raise BadInput(
                f"{name} is {here[0]} x {here[1]}, the pictures before are {self.size[0]} x {self.size[1]}: take all "
                "with one camera and one lens, without digital zoom, and give them uncropped",
                field="images",
                value=name,
            )
        self.size = here
        views = detect_pages(len(self.names), gray)
        if not views and is_mirrored(gray):
            raise BadInput(
                f"{name}: the pages are printed mirrored, or the camera mirrors its picture: switch that off",
                field="images",
                value=name,
            )
        if len(views) < 2:
            self.remarks.append(f"{name} is not used: {_explain_absence(gray, len(views))}")
            return
        self.names.append(name)
        self.views += views


def read_pages(pictures: Iterable[tuple[str, Image]]) -> Intake:
    """The pages in all pictures. Raises: BadInput naming the picture at fault."""
    intake = Intake()
    for name, gray in pictures:
        intake.add(name, gray)
    if not intake.names:
        said = f" ({intake.remarks[0]})" if intake.remarks else ""
        raise BadInput(f"no picture shows two set-up pages{said}", field="images", value=0)
    return intake


def check_pages(views: Sequence[PageView]) -> None:
    """Raises: BadInput naming the first page that no picture shows."""
    absent = sorted(set(range(PAGES)) - {view.page for view in views})
    if absent:
        raise BadInput(
            f"page {absent[0] + 1} is seen in no picture: is it under something, or missing? Lay it free, and add "
            "pictures that show it beside another page",
            field="images",
            value=absent[0] + 1,
        )


def check_hang_together(views: Sequence[PageView]) -> None:
    """Raises: BadInput naming a page that no chain of pictures leads to from the others."""
    seen: dict[int, set[int]] = {}
    for view in views:
        seen.setdefault(view.picture, set()).add(view.page)
    joined = {min(view.page for view in views)}
    while any(pages & joined and not pages <= joined for pages in seen.values()):
        joined |= {page for pages in seen.values() if pages & joined for page in pages}
    apart = sorted({view.page for view in views} - joined)
    if apart:
        known = " or ".join(str(page + 1) for page in sorted(joined))
        raise BadInput(
            f"no picture shows page {apart[0] + 1} together with page {known}: add one that does",
            field="images",
            value=apart[0] + 1,
        )


def _explain_absence(gray: Image, pages: int) -> str:
    if _edge_blur_px(gray) > _SHARP_PX:
        return "it is too blurred: hold still while you take it"
    return "it shows one page only" if pages else "it shows no page"


def _edge_blur_px(gray: Image) -> float:
    """Sigma of the blur that would make the picture's steepest steps so soft; 0 where nothing stands out."""
    dark, bright = np.percentile(gray[::4, ::4], (0.5, 99.5))
    if bright - dark < _LEAST_CONTRAST:
        return 0.0
    calm = cv2.GaussianBlur(gray, (0, 0), 1.0).astype(np.float32)
    slope = np.maximum(np.abs(np.diff(calm, axis=0))[:, :-1], np.abs(np.diff(calm, axis=1))[:-1])
    return float((bright - dark) / (np.percentile(slope, 99.9) * np.sqrt(2 * np.pi) + 1e-9))
