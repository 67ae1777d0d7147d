"""`tableside calibrate`: a camera's lens, its pose, the table's own markers, the height of its terrain."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from api.cli.hosting_options import listen_on
from api.cli.invocation import settings_of, wants_json
from api.storage.files import load, save, write_whole
from models.camera import Camera, CameraPose
from models.errors import BadCamera, BadInput, BadLayout, BadState
from models.layout import Layout
from models.state import TableState

if TYPE_CHECKING:
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
    from api.corners.pose_from_taps import fit_pose, parse_point
    from api.corners.uncertainty_map import heat_map
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
    """What the pose rests on."""
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
