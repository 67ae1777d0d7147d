"""`tableside calibrate corners`: a page on which the mat's corners are tapped."""

from pathlib import Path
from typing import Annotated

import typer

from api.door import Door
from api.files import load, save
from models.camera import Camera, CameraPose
from models.errors import BadCamera, BadInput, BadLayout
from models.layout import Layout


def corners_page(
    source: Annotated[str, typer.Option(help="Device number, file, folder or URL of a stream.")],
    camera: Annotated[Path, typer.Option(help="The camera file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The pose file to write.")],
    layout: Annotated[Path | None, typer.Option(help="The table's layout, for its size and its fiducials.")] = None,
    size_mm: Annotated[tuple[float, float] | None, typer.Option(help="Width and depth of the mat.")] = None,
    cut_mm: Annotated[float, typer.Option(help="How well the mat's sides are known, one sigma.", min=0, max=20)] = 0.5,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets phones in.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.", min=0, max=65535)] = 8017,
    no_qr: Annotated[bool, typer.Option("--no-qr", help="Print the address only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the addresses as JSON.")] = False,
) -> None:
    """Where the camera hangs, by tapping the mat's four corners on a phone; fiducials are used where they are seen."""
    from api.corner_app import create_corner_app  # here, so that no other command waits for the web server
    from api.corner_desk import CornerDesk
    from api.newest import newest_of
    from api.pictures import Image
    from api.server import serve

    lens = load(Camera, camera, error=BadCamera)
    described = load(Layout, layout, error=BadLayout) if layout else None
    if described and size_mm and size_mm != described.table_mm:
        raise BadInput(f"size_mm: the layout says {described.table_mm}", field="size_mm", value=list(size_mm))

    def keep(pose: CameraPose) -> str:
        save(pose, output)
        return str(output)

    newest = newest_of(source)

    def shown(_: bool) -> tuple[Image, bool]:
        return newest(), False  # who calibrates at the camera sees the room anyway

    desk = CornerDesk(shown, camera=lens, layout=described, table_mm=size_mm, cut_mm=cut_mm, keep=keep)
    serve(create_corner_app(desk), Door(host=host, port=port, qr=not no_qr, as_json=as_json))
