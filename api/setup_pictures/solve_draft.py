"""Draft solve: the pictures of a set-up -> camera and layout of what looks at the table during the game."""

from collections.abc import Iterable

from api.setup_pictures.draft import Draft, KeptPicture, TakenBy
from calibration.setup.lens_solve import FocalPrior, Known
from calibration.setup.picture_intake import Intake
from calibration.setup.print_scale import solve_intake_to_scale
from calibration.setup.solve_setup import Setup

FEWEST = 2  # pictures from which a lens can be tried


def eye_pictures(draft: Draft) -> tuple[KeptPicture, ...]:
    """The pictures of the eye that plays: the phone's own, or the camera's."""
    return _taken_by(draft, "phone" if draft.eye == "phone" else "camera")


def solve_draft(draft: Draft) -> Setup:
    """The eye's camera on the table: with the phone's sweep as layout where a camera plays, and its lens where known.

    Raises: BadInput naming picture, page or size at fault.
    """
    return solve_all_pictures(draft)[0]


def solve_all_pictures(draft: Draft) -> tuple[Setup, ...]:
    """The eye's set-up, and that of the phone's sweep where a camera plays: both on one table. Raises: BadInput."""
    eye = eye_pictures(draft)
    if draft.eye == "phone":
        return (_solve(eye, draft, Known(focal=_focal(eye), camera=draft.lens)),)
    sweep = _taken_by(draft, "phone")
    if not sweep:
        return (_solve(eye, draft, Known(camera=draft.lens)),)
    walked = _solve(sweep, draft, Known(focal=_focal(sweep)))
    return _solve(eye, draft, Known(camera=draft.lens, layout=walked.layout)), walked


def _solve(pictures: Iterable[KeptPicture], draft: Draft, known: Known) -> Setup:
    return solve_intake_to_scale(_intake(pictures), table_mm=draft.table_mm, ruler_mm=draft.ruler_mm, known=known)


def _intake(pictures: Iterable[KeptPicture]) -> Intake:
    intake = Intake()
    for picture in pictures:
        intake.size = picture.size
        if picture.pages:
            intake.views += picture.views(len(intake.names))
            intake.names.append(picture.name)
    return intake


def _taken_by(draft: Draft, by: TakenBy) -> tuple[KeptPicture, ...]:
    return tuple(picture for picture in draft.pictures if picture.by == by)


def _focal(pictures: Iterable[KeptPicture]) -> FocalPrior | None:
    focal = next((picture.focal for picture in pictures if picture.focal is not None), None)
    return None if focal is None else FocalPrior(*focal)
