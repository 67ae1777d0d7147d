"""`tableside locate`: one picture of a table becomes one state file."""

from pathlib import Path
from typing import Annotated

import typer

from api.files import load, save
from api.whereabouts import whereabouts
from models.base import Catalogue, catalogue_of
from models.camera import Camera
from models.errors import BadCamera, BadInput
from models.words import EditionId

PoseFile = Annotated[
    Path | None, typer.Option(help="POSE.json from `tableside calibrate corners` or `table`: where the camera hangs.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("locate")
    def locate_table(
        image: Annotated[Path, typer.Argument(help="A picture of the table with at least two fiducials in sight.")],
        camera: Annotated[Path, typer.Option(help="CAM.json from `tableside calibrate camera`.")],
        output: Annotated[Path, typer.Option("-o", "--output", help="The state file to write.")],
        layout: Annotated[Path | None, typer.Option(help="LAYOUT.json: table size, fiducials, terrain.")] = None,
        pose: PoseFile = None,
        edition: Annotated[EditionId | None, typer.Option(help="Whose base sizes, and whose rules.")] = None,
        catalogue: Annotated[Path | None, typer.Option(help="Base sizes to look for instead.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print the state on stdout too.")] = False,
    ) -> None:
        """Find every base in one picture: where it lies, its size, its facing, and how surely."""
        from api.pictures import read_picture  # here, so that `ask` does not wait for OpenCV
        from calibration.picture import check_size
        from calibration.table import locate_table
        from vision.locating import locate

        lens, place = load(Camera, camera, error=BadCamera), whereabouts(layout, pose)
        sizes = sizes_of(edition, catalogue)
        picture = read_picture(image)
        check_size(picture, lens)
        hangs = place.pose or locate_table(picture, camera=lens, layout=place.layout)
        state = locate(
            picture,
            camera=lens,
            pose=hangs,
            layout=place.layout,
            catalogue=sizes,
            edition=edition or DEFAULT_EDITION,
        )
        save(state, output)
        typer.echo(state.model_dump_json(exclude_none=True) if as_json else f"{len(state.miniatures)} bases: {output}")


DEFAULT_EDITION: EditionId = "warmachine-prime"


def sizes_of(edition: EditionId | None, catalogue: Path | None) -> Catalogue:
    """The catalogue file's sizes, or the edition's, or all there are."""
    if catalogue is not None:
        return load(Catalogue, catalogue, error=BadInput)
    return catalogue_of((edition,) if edition else ())
