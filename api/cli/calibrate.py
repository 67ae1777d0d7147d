"""`tableside calibrate table`, `heights` and `layout`: where camera and terrain are, and where fiducials lie."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from api.cli.hosting_options import listen_on
from api.cli.invocation import picture_bar, settings_of, wants_json
from api.storage.files import load, read_named_pictures, save, write_whole
from models.camera import Camera, CameraPose
from models.errors import BadCamera, BadInput, BadLayout, BadState
from models.layout import Layout
from models.state import TableState

if TYPE_CHECKING:
    from calibration.survey.known_lengths import Length
    from calibration.survey.solve_layout import Survey
    from calibration.survey.survey_images import SurveyRequest
    from calibration.survey.table_frame import Anchor
    from vision.terrain.height_triangulation import SurfaceHeight

CameraFile = Annotated[Path, typer.Option("--camera", help="The camera file.")]
LayoutFile = Annotated[Path | None, typer.Option("--layout", help="The table's layout, for its size and fiducials.")]
PoseOutput = Annotated[Path, typer.Option("-o", "--output", help="The pose file to write.")]
Corners = Annotated[
    tuple[str, str, str, str] | None,
    typer.Option(help="The mat's corners in the picture: near left, near right, far right, far left, as x,y each."),
]
Tap = Annotated[bool, typer.Option("--tap", help="Serve a page on which the mat's corners are tapped on a phone.")]
MatSize = Annotated[tuple[float, float] | None, typer.Option(help="Width and depth of the mat; absent: the layout's.")]
HeatMap = Annotated[Path | None, typer.Option("--map", help="Draw how surely places are known, as SVG.")]
StateAndPose = tuple[Path, Path]
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


def calibrate_pose(
    context: typer.Context,
    image: Annotated[
        str,
        typer.Argument(help="A picture of the table: two fiducials, or the mat's four corners. With --tap a source."),
    ],
    camera: CameraFile,
    output: PoseOutput,
    layout: LayoutFile = None,
    corners: Corners = None,
    tap: Tap = False,
    size_mm: MatSize = None,
    heat: HeatMap = None,
) -> None:
    """Where the camera hangs over the table: from the fiducials around it, the mat's four corners, or both."""
    lens = load(Camera, camera, error=BadCamera)
    described = load(Layout, layout, error=BadLayout) if layout else None
    if tap:
        if corners or heat:
            raise BadInput("--tap asks for the corners, and draws no map", field="tap", value=True)
        _serve_corner_page(context, image, lens, described, size_mm, output)
        return
    from api.corners.pose_from_taps import fit_pose, heat_map, parse_point
    from api.storage.files import read_picture_for

    points = None if corners is None else list(map(parse_point, corners))
    picture = read_picture_for(Path(image), lens.image_size)
    fit = fit_pose(picture, camera=lens, layout=described, corners=points, size_mm=size_mm)
    pose, drawn = fit.view.pose, heat_map(fit.view) if heat else ""
    save(pose, output)
    if heat:
        write_whole(heat, drawn)
    print(pose.model_dump_json() if wants_json(context) else "\n".join([_describe_pose(pose), *fit.says]))


def _serve_corner_page(
    context: typer.Context, source: str, camera: Camera, layout: Layout | None, size_mm: tuple[float, float] | None,
    output: Path,
) -> None:  # fmt: skip
    """The page on which the mat's corners are tapped; fiducials are used where they are seen."""
    from api.camera.live_source import image_grabber
    from api.corners.service import CornerService
    from api.routes.corners import create_corner_app  # here, so that no other command waits for the web server
    from api.server.serve import serve
    from calibration.arrays import Image

    if layout and size_mm and size_mm != layout.table_mm:
        raise BadInput(f"size_mm: the layout says {layout.table_mm}", field="size_mm", value=list(size_mm))

    def keep(pose: CameraPose) -> str:
        save(pose, output)
        return str(output)

    newest, settings = image_grabber(source), settings_of(context)
    port = 8017 if settings.port is None else settings.port

    def grab(_: bool) -> tuple[Image, bool]:
        return newest(), False  # the room is seen anyway by those who calibrate at the camera

    service = CornerService(
        grab, camera=camera, layout=layout, table_mm=size_mm, cut_mm=settings.mat_sigma_mm, keep=keep
    )
    serve(create_corner_app(service), listen_on(context, settings.host or "0.0.0.0", port))


def _describe_pose(pose: CameraPose) -> str:
    x, y, z = pose.centre_mm
    sigma = np.sqrt(np.diag(pose.covariance))
    lines = [
        f"camera at {x:.1f}, {y:.1f}, {z:.1f} mm, from {_name_evidence(pose)}",
        f"residual {pose.rms_px:.3f} px, {pose.rms_mm:.3f} mm on the table",
        f"turn known to {np.degrees(sigma[:3]).max():.3f} degrees",
    ]
    lines += [f"not used: fiducial {i}: two prints in sight have this id" for i in pose.twice]
    return "\n".join(lines + [f"not used: fiducial {i}: the layout does not hold it" for i in pose.strangers])


def _name_evidence(pose: CameraPose) -> str:
    named = f"fiducials {', '.join(map(str, pose.markers))}" if pose.markers else ""
    return " and ".join(part for part in (named, "the mat's corners" if pose.held_mm else "") if part)


def measure_heights(
    context: typer.Context,
    layout: Annotated[Path, typer.Argument(help="The layout whose terrain has heights to be found.")],
    first: Annotated[StateAndPose, typer.Option(help="A state from `tableside locate` and the pose of its picture.")],
    second: Annotated[StateAndPose, typer.Option(help="The same from elsewhere, nothing moved in between.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The layout file to write.")],
) -> None:
    """How high hills are, from bases on them that were seen from two places."""
    from vision.terrain.height_triangulation import triangulate_heights, with_heights

    described = load(Layout, layout, error=BadLayout)
    views = [
        (load(TableState, state, error=BadState), load(CameraPose, pose, error=BadCamera))
        for state, pose in (first, second)
    ]
    solved = triangulate_heights(views, described)
    if not solved:
        raise BadInput(
            "no base on any terrain was seen from two places: stand some on the hills, and take both pictures with"
            " nothing moved in between",
            field="second",
            value=str(second[0]),
        )
    save(with_heights(described, solved), output)
    as_json = wants_json(context)
    print(json.dumps(list(map(_height_facts, solved))) if as_json else "\n".join(map(_describe_height, solved)))


def _height_facts(solved: "SurfaceHeight") -> dict[str, object]:
    return {
        "terrain": solved.terrain,
        "surface_mm": round(solved.surface_mm, 2),
        "sigma_mm": round(solved.sigma_mm, 2),
        "bases": solved.bases,
        "entered_mm": solved.entered_mm,
    }


def _describe_height(solved: "SurfaceHeight") -> str:
    before = "" if solved.entered_mm is None else f"; {solved.entered_mm:.1f} mm was entered"
    return f"{solved.terrain}: {solved.surface_mm:.1f} mm (sigma {solved.sigma_mm:.1f}, {solved.bases} bases){before}"


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
