"""Picture notes: one photograph at a time -> what it tells of the pages, or why it tells nothing."""

from api.setup_pictures.draft import KeptPage, KeptPicture, TakenBy
from api.setup_pictures.sweep import SweepPicture
from calibration.arrays import Floats
from calibration.setup.picture_intake import Intake
from models.errors import BadInput


def note_picture(picture: SweepPicture, before: tuple[KeptPicture, ...], *, by: TakenBy, lens: str = "") -> KeptPicture:
    """Raises: BadInput for pages printed mirrored, and for a picture of another size or lens than those before."""
    same = [picture for picture in before if picture.by == by]
    if same and lens != same[0].lens:
        raise BadInput(
            f"{picture.name} was taken with {lens or 'a lens without a name'}, the pictures before with "
            f"{same[0].lens or 'a lens without a name'}: take all with one phone, one lens and without zooming, or "
            "remove those before",
            field="picture",
            value=picture.name,
        )
    intake = Intake(size=same[0].size if same else (0, 0))
    intake.add(picture.name, picture.gray)
    height, width = picture.gray.shape[:2]
    pages = tuple(
        KeptPage(page=view.page, points_mm=_triples(view.points_mm), seen_px=_pairs(view.seen_px))
        for view in intake.views
    )
    return KeptPicture(
        name=picture.name,
        by=by,
        size=(width, height),
        pages=pages,
        says=_say(intake, picture.name),
        lens=lens,
        focal=picture.focal,
    )


def _say(intake: Intake, name: str) -> str:
    if intake.remarks:
        return intake.remarks[0].removeprefix(f"{name} is not used: ").capitalize() + "."
    return "Shows pages " + ", ".join(str(view.page + 1) for view in intake.views) + "."


def _triples(points: Floats) -> tuple[tuple[float, float, float], ...]:
    return tuple((float(x), float(y), float(z)) for x, y, z in points)


def _pairs(points: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)
