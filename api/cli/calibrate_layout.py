"""`tableside calibrate layout`: where the fiducials lie, from pictures of them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.invocation import settings_of, wants_json
from api.cli.progress import picture_bar
from api.storage.files import load, read_named_pictures, save
from models.camera import Camera
from models.errors import BadCamera, BadInput

if TYPE_CHECKING:
    from calibration.survey.known_lengths import Length
    from calibration.survey.solve_layout import Survey
    from calibration.survey.survey_images import SurveyRequest
    from calibration.survey.table_frame import Anchor

_RULER_SIGMA_MM = 0.5  # how well a ruler is read
_GOOD_SCALE_MM = 0.5

Place = tuple[str, float, float]
Between = tuple[str, str, float]
Pictures = Annotated[list[Path], typer.Argument(help="3 to 8 pictures of the tags, from different sides.")]
Cameras = Annotated[list[Path], typer.Option(help="The camera file; once more for pictures of another size.")]
TagSize = Annotated[float, typer.Option(help="Side of the printed tags, black edge to black edge.", min=1)]
Output = Annotated[Path, typer.Option("-o", "--output", help="The layout file to write.")]
Distance = Annotated[Between | None, typer.Option(help="A measured length: two places (3, 3:top-left) and mm.")]
Tags = Annotated[str, typer.Option(help="The table's ids, as 0,1,2,3; others in sight are named, not used.")]
NearLeft = Annotated[Place | None, typer.Option(help="A place on a tag and its x, y on the table, in mm.")]
NearRight = Annotated[Place | None, typer.Option(help="The same for a place far to its right.")]
Table = Annotated[tuple[float, float] | None, typer.Option(help="The table's width and depth, in mm.")]
Check = Annotated[Between | None, typer.Option(help="Two places and the length that a ruler shows: is it the same?")]


def survey_layout(
    context: typer.Context,
    images: Pictures,
    camera: Cameras,
    tag_mm: TagSize,
    output: Output,
    distance: Distance = None,
    tags: Tags = "",
    near_left: NearLeft = None,
    near_right: NearRight = None,
    table: Table = None,
    check: Check = None,
) -> None:
    """Where the fiducials lie, from pictures of them, without measuring by hand.

    The table is the rectangle around the tags, or lies in its middle when --table tells its size; its near side runs
    along the bottom of the print with the lowest id. --near-left and --near-right say otherwise.
    """
    from calibration.survey.survey_images import SurveyRequest

    settings = settings_of(context)
    request = SurveyRequest(
        dictionary=settings.dictionary,
        tag_mm=tag_mm,
        tag_sigma_mm=settings.tag_sigma_mm,
        length=_parse_length(distance, field="distance", sigma_mm=settings.distance_sigma_mm),
        ids=_parse_ids(tags),
        anchors=_parse_anchors(near_left, near_right),
        table_mm=table,
        tag_z_mm=settings.tag_z_mm,
    )
    ruler = _parse_length(check, field="check", sigma_mm=0.0)
    survey = _survey_images(images, [load(Camera, path, error=BadCamera) for path in camera], request)
    checked = _check_length(survey, ruler)
    save(survey.layout, output)
    print(json.dumps(_facts(survey, checked)) if wants_json(context) else _describe(survey, checked))


def _survey_images(images: list[Path], cameras: list[Camera], request: "SurveyRequest") -> "Survey":
    """What the pictures show of the tags, behind a progress bar."""
    from calibration.survey.solve_layout import solve_layout

    with (bar := picture_bar()):
        task = bar.add_task("", total=len(images) + 1)
        return solve_layout(
            read_named_pictures(images),
            cameras,
            request,
            progress=lambda name: bar.update(task, advance=1, description=name),
        )


def _parse_length(given: tuple[str, str, float] | None, *, field: str, sigma_mm: float) -> "Length | None":
    """Raises: BadInput for a place that is none, or a length that is not positive."""
    from calibration.survey.known_lengths import Length, parse_point

    if given is None:
        return None
    a, b, mm = given
    if not mm > 0 or a == b:
        raise BadInput("a length lies between two places and is more than nothing", field=field, value=[a, b, mm])
    return Length(parse_point(a, field=field), parse_point(b, field=field), mm, sigma_mm)


def _parse_anchors(*given: tuple[str, float, float] | None) -> "tuple[Anchor, ...]":
    """Raises: BadInput when only one of the two is given."""
    from calibration.survey.known_lengths import parse_point
    from calibration.survey.table_frame import Anchor

    known = [place for place in given if place is not None]
    if len(known) == 1:
        raise BadInput("--near-left and --near-right go together", field="near_left", value=known[0][0])
    return tuple(Anchor(parse_point(written, field="near_left"), (x, y)) for written, x, y in known)


def _parse_ids(written: str) -> tuple[int, ...]:
    """Raises: BadInput."""
    parts = [part.strip() for part in written.split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise BadInput(f"{written!r} is no list of ids: write 0,1,2,3", field="tags", value=written)
    return tuple(map(int, parts))


def _check_length(survey: "Survey", ruler: "Length | None") -> dict[str, object] | None:
    """What the survey says of a length that a ruler shows; it fits when doubt alone could explain the difference."""
    from calibration.survey.survey_images import check_surveyed

    if ruler is None:
        return None
    for spot in (ruler.a, ruler.b):
        check_surveyed(spot, [tag.id for tag in survey.tags])
    here, sigma = survey.length_mm(ruler.a, ruler.b)
    off = here - ruler.measured_mm
    return {
        "between": [str(ruler.a), str(ruler.b)],
        "known_mm": ruler.measured_mm,
        "measured_mm": round(here, 3),
        "sigma_mm": round(sigma, 3),
        "fits": abs(off) < 2 * sigma + _RULER_SIGMA_MM,
    }


def _facts(survey: "Survey", checked: dict[str, object] | None) -> dict[str, object]:
    return {
        "layout": survey.layout.model_dump(mode="json", exclude_none=True),
        "not_asked_for": list(survey.strangers),
        "check": checked,
    }


def _describe(survey: "Survey", checked: dict[str, object] | None) -> str:
    width, depth = survey.layout.table_mm
    known = survey.layout.fiducials
    scale_mm = known.scale_sigma * max(width, depth)
    lines = [
        f"{len(survey.tags)} tags of {known.marker_mm:.2f} mm around a table of {width:.1f} x {depth:.1f} mm",
        f"each known among the others to {known.sigma_mm:.3f} mm; lengths to {known.scale_sigma:.3%},"
        f" {scale_mm:.2f} mm over the table",
    ]
    if scale_mm > _GOOD_SCALE_MM:
        lines.append("measure one long distance between two tags and give it with --distance to know lengths better")
    if survey.widened > 4:
        lines.append("the pictures contradict each other; the stated doubt is widened. Do the tags lie flat and still?")
    lines += [f"not used: tag {i} is not among --tags" for i in survey.strangers]
    if checked is not None:
        lines.append(
            f"check: {checked['measured_mm']} mm here (sigma {checked['sigma_mm']}), {checked['known_mm']} mm by the"
            f" ruler: {'fits' if checked['fits'] else 'does NOT fit'}"
        )
    return "\n".join(lines)
