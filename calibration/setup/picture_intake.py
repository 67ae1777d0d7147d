"""Picture intake: which pages each picture shows, and which pictures are of no use, and why."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.setup.pages import PAGES, Glimpse, PageView, detect_pages, glimpse_pages, is_mirrored
from models.errors import BadInput

_SHARP_PX = 4.0  # blur from which pages cannot be read any more
_CRISP_PX = 1.7  # from which small squares, as of pages seen from afar, lose their numbers
_MANY = 12  # of the 72 black squares of four pages
_LEAST_CONTRAST = 40.0  # grey levels


@dataclass
class Intake:
    """The pages of all pictures that show two at least, why others are not used, and which pages an edge cuts."""

    names: list[str] = field(default_factory=list)
    views: list[PageView] = field(default_factory=list)
    size: tuple[int, int] = (0, 0)
    unused: dict[str, str] = field(default_factory=dict)
    cut: set[int] = field(default_factory=set)

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(f"{name} is not used: {why}" for name, why in self.unused.items())

    def add(self, name: str, gray: Image) -> None:
        """Raises: BadInput for a picture of another size, and for pages printed mirrored."""
        here = (gray.shape[1], gray.shape[0])
        if self.size not in ((0, 0), here):
            raise BadInput(_explain_size(name, here, self.size), field="images", value=name)
        self.size = here
        views = detect_pages(len(self.names), gray)
        if not views and is_mirrored(gray):
            raise BadInput(
                f"{name}: the pages are printed mirrored, or the camera mirrors its picture: switch that off",
                field="images",
                value=name,
            )
        glimpse = glimpse_pages(gray)
        if len(views) < 2:
            self.unused[name] = _explain_absence(gray, views, glimpse)
            return
        self.cut |= glimpse.cut - {view.page for view in views}
        self.names.append(name)
        self.views += views


def read_pages(pictures: Iterable[tuple[str, Image]]) -> Intake:
    """The pages in all pictures. Raises: BadInput naming the picture at fault."""
    intake = Intake()
    for name, gray in pictures:
        intake.add(name, gray)
    if not intake.names:
        raise BadInput(f"no picture shows two set-up pages{_explain_most(intake.unused)}", field="images", value=0)
    return intake


def _explain_most(unused: dict[str, str]) -> str:
    """Why most of them are of no use."""
    if not unused:
        return ""
    (why, count), total = Counter(unused.values()).most_common(1)[0], len(unused)
    which = next(iter(unused)) if total == 1 else f"all {total}" if count == total else f"{count} of {total}"
    return f" ({which}: {why})"


def check_pages(views: Sequence[PageView], cut: Collection[int] = ()) -> None:
    """Raises: BadInput naming the first page that no picture shows, or none as a whole (`cut`)."""
    absent = sorted(set(range(PAGES)) - {view.page for view in views})
    if absent and absent[0] in cut:
        raise BadInput(
            f"page {absent[0] + 1} is cut by the edge of every picture that shows it: step back, or add pictures in "
            "which it is whole beside another page",
            field="images",
            value=absent[0] + 1,
        )
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


def _explain_size(name: str, here: tuple[int, int], before: tuple[int, int]) -> str:
    sizes = f"{name} is {here[0]} x {here[1]}, the pictures before are {before[0]} x {before[1]}"
    if here == before[::-1]:
        return (
            f"{sizes}: a program turned the pixels of it or of those before (a camera notes only in EXIF how it was "
            "held); give all as the camera wrote them"
        )
    return f"{sizes}: take all with one camera and one lens, without digital zoom, and give them uncropped"


def describe_cut(pages: Collection[int]) -> str:
    """That the picture's edge cuts these pages."""
    numbers = " and ".join(str(page + 1) for page in sorted(pages))
    return (
        f"page{'s' if len(pages) > 1 else ''} {numbers} {'are' if len(pages) > 1 else 'is'} cut by the picture's edge"
    )


def _explain_absence(gray: Image, views: Sequence[PageView], glimpse: Glimpse) -> str:
    blur_px = _edge_blur_px(gray)
    if blur_px > _SHARP_PX or (not views and blur_px > _CRISP_PX and glimpse.squares > _MANY):
        return "it is too blurred: hold still while you take it"
    if cut := glimpse.cut - {view.page for view in views}:
        return f"{describe_cut(cut)}: step back until two pages are wholly in sight"
    return "it shows one page only" if views else "it shows no page"


def _edge_blur_px(gray: Image) -> float:
    """Sigma of the blur that would make the picture's steepest steps so soft; 0 where nothing stands out."""
    dark, bright = np.percentile(gray[::4, ::4], (0.5, 99.5))
    if bright - dark < _LEAST_CONTRAST:
        return 0.0
    calm = cv2.GaussianBlur(gray, (0, 0), 1.0).astype(np.float32)
    slope = np.maximum(np.abs(np.diff(calm, axis=0))[:, :-1], np.abs(np.diff(calm, axis=1))[:-1])
    return float((bright - dark) / (np.percentile(slope, 99.9) * np.sqrt(2 * np.pi) + 1e-9))
