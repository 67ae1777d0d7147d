"""`tableside calibrate corners`: a page on which the mat's corners are tapped."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.hosting_options import AsJson, Host, NoQr, Port
from api.server.bind import ListenOptions
from api.storage.files import load, save
from models.camera import Camera, CameraPose
from models.errors import BadCamera, BadInput, BadLayout
from models.layout import Layout


def tap_corners(
    source: Annotated[str, typer.Option(help="Device number, file, folder or URL of a stream.")],
    camera: Annotated[Path, typer.Option(help="The camera file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The pose file to write.")],
    layout: Annotated[Path | None, typer.Option(help="The table's layout, for its size and its fiducials.")] = None,
    size_mm: Annotated[tuple[float, float] | None, typer.Option(help="Width and depth of the mat.")] = None,
    cut_mm: Annotated[float, typer.Option(help="How well the mat's sides are known, one sigma.", min=0, max=20)] = 0.5,
    host: Host = "0.0.0.0",
    port: Port = 8017,
    no_qr: NoQr = False,
    as_json: AsJson = False,
) -> None:
    """Where the camera hangs, by tapping the mat's four corners on a phone; fiducials are used where they are seen."""
    from api.camera.grab_image import image_grabber
    from api.corners.service import CornerService
    from api.routes.corners_app import create_corner_app  # here, so that no other command waits for the web server
    from api.server.serve import serve
    from calibration.arrays import Image

    lens = load(Camera, camera, error=BadCamera)
    described = load(Layout, layout, error=BadLayout) if layout else None
    if described and size_mm and size_mm != described.table_mm:
        raise BadInput(f"size_mm: the layout says {described.table_mm}", field="size_mm", value=list(size_mm))

    def keep(pose: CameraPose) -> str:
        save(pose, output)
        return str(output)

    newest = image_grabber(source)

    def grab(_: bool) -> tuple[Image, bool]:
        return newest(), False  # who calibrates at the camera sees the room anyway

    desk = CornerService(grab, camera=lens, layout=described, table_mm=size_mm, cut_mm=cut_mm, keep=keep)
    serve(create_corner_app(desk), ListenOptions(host=host, port=port, qr=not no_qr, as_json=as_json))
