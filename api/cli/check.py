"""`tableside check`: is this table fit to judge?"""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.locate import sizes_of
from api.files import load
from models.camera import Camera
from models.check import Compared, SelfCheck
from models.errors import BadCamera, BadInput, BadLayout, SourceLost
from models.layout import Layout
from models.words import EditionId

if TYPE_CHECKING:
    from calibration.ruler import Length
    from vision.sources import Frame

_WARMING_UP = 15  # frames until a camera has set its exposure
_BY_HAND_MM = 0.3  # how well a ruler is read


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("check")
    def check_table(
        source: Annotated[str, typer.Argument(help="A picture, a video, a device number or the URL of a stream.")],
        camera: Annotated[Path, typer.Option(help="CAM.json from `tableside calibrate camera`.")],
        layout: Annotated[Path, typer.Option(help="LAYOUT.json: table size, fiducials, terrain.")],
        card_mm: Annotated[
            float | None, typer.Option(help="Side of the printed cards; as the fiducials when left out.", min=1)
        ] = None,
        distance: Annotated[
            tuple[str, str, float] | None,
            typer.Option(help="A length that a ruler shows: two places on cards (20, or 20:top-left) and mm."),
        ] = None,
        edition: Annotated[EditionId | None, typer.Option(help="Whose base sizes may touch.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    ) -> None:
        """Compare what is known with what is measured: printed cards, bases that touch, fiducials, light.

        Lay two printed cards whose ids the layout does not have anywhere on the table, or two bases so that they touch.
        """
        from vision.touching import checked  # here, so that no other command waits for OpenCV

        result = checked(
            _picture(source).image,
            camera=load(Camera, camera, error=BadCamera),
            layout=load(Layout, layout, error=BadLayout),
            catalogue=sizes_of(edition, None),
            card_mm=card_mm,
            lengths=() if distance is None else (_length(distance),),
        )
        typer.echo(result.model_dump_json() if as_json else "\n".join(_told(result)))


def _picture(source: str) -> "Frame":
    """One frame of the source; a camera's when it has got used to the light. Raises: BadFile, SourceLost."""
    from api.live_source import is_live, live_frames
    from vision.sources import frames_of

    frames = islice(live_frames(source), _WARMING_UP) if is_live(source) else islice(frames_of(Path(source)), 1)
    newest = deque(frames, maxlen=1)
    if not newest:
        raise SourceLost(f"{source}: no picture came", field="source", value=source)
    return newest[0]


def _length(given: tuple[str, str, float]) -> "Length":
    """Raises: BadInput."""
    from calibration.ruler import Length, place

    a, b, mm = given
    if not mm > 0 or a == b:
        raise BadInput("a length lies between two places and is more than nothing", field="distance", value=[a, b, mm])
    return Length(place(a, field="distance"), place(b, field="distance"), mm, _BY_HAND_MM)


def _told(result: SelfCheck) -> Iterator[str]:
    yield from (_line(one) for one in result.compared)
    if result.table_sigma_mm is not None:
        yield f"places are known to {result.table_sigma_mm:.2f} mm at the table's worst corner"
    yield from (f"to mend: {what}" for what in result.mend)
    if result.is_fit:
        yield result.says


def _line(one: Compared) -> str:
    mark = "" if one.is_fine else "   <- off"
    return (
        f"{one.what}: known {one.known_mm:.2f}, measured {one.measured_mm:.2f}"
        f" ({one.off_mm:+.2f} +- {one.sigma_mm:.2f}) mm{mark}"
    )
