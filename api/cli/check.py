"""`tableside check`: is this table fit to judge?"""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.edition_option import read_edition
from api.cli.locate import sizes_of
from api.storage.files import load
from models.camera import Camera
from models.errors import BadCamera, BadInput, BadLayout, SourceLost
from models.layout import Layout
from models.self_check import LengthComparison, SelfCheck

if TYPE_CHECKING:
    from calibration.survey.known_lengths import Length
    from vision.capture.sources import Frame

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
        edition: Annotated[
            str | None, typer.Option(help="Whose base sizes may touch: an id, or FILE.toml, a book written as data.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    ) -> None:
        """Compare what is known with what is measured: printed cards, bases that touch, fiducials, light.

        Lay two printed cards whose ids the layout does not have anywhere on the table, or two bases so that they touch.
        """
        from vision.self_check import check_picture  # here, so that no other command waits for OpenCV

        result = check_picture(
            _grab_frame(source).image,
            camera=load(Camera, camera, error=BadCamera),
            layout=load(Layout, layout, error=BadLayout),
            catalogue=sizes_of(None if edition is None else read_edition(edition), None).narrowed(),
            card_mm=card_mm,
            lengths=() if distance is None else (_parse_length(distance),),
        )
        typer.echo(result.model_dump_json() if as_json else "\n".join(_describe(result)))


def _grab_frame(source: str) -> "Frame":
    """One frame of the source; a camera's when it has got used to the light. Raises: BadFile, SourceLost."""
    from api.camera.live_source import is_live, live_frames
    from vision.capture.sources import read_frames

    frames = islice(live_frames(source), _WARMING_UP) if is_live(source) else islice(read_frames(Path(source)), 1)
    newest = deque(frames, maxlen=1)
    if not newest:
        raise SourceLost(f"{source}: no picture came", field="source", value=source)
    return newest[0]


def _parse_length(given: tuple[str, str, float]) -> "Length":
    """Raises: BadInput."""
    from calibration.survey.known_lengths import Length, parse_point

    a, b, mm = given
    if not mm > 0 or a == b:
        raise BadInput("a length lies between two places and is more than nothing", field="distance", value=[a, b, mm])
    return Length(parse_point(a, field="distance"), parse_point(b, field="distance"), mm, _BY_HAND_MM)


def _describe(result: SelfCheck) -> Iterator[str]:
    yield from (_describe_length(one) for one in result.compared)
    if result.table_sigma_mm is not None:
        yield f"places are known to {result.table_sigma_mm:.2f} mm at the table's worst corner"
    yield from (f"to mend: {what}" for what in result.mend)
    if result.is_fit:
        yield result.says


def _describe_length(one: LengthComparison) -> str:
    mark = "" if one.is_fine else "   <- off"
    return (
        f"{one.what}: known {one.known_mm:.2f}, measured {one.measured_mm:.2f}"
        f" ({one.off_mm:+.2f} +- {one.sigma_mm:.2f}) mm{mark}"
    )
