"""`tableside locate`: one picture of a table becomes one state file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.files import load, save
from api.heap import keep_large_blocks
from api.whereabouts import whereabouts
from models.base import Catalogue, catalogue_of
from models.camera import Camera
from models.errors import BadCamera, BadInput
from models.state import TableState
from models.words import EditionId

if TYPE_CHECKING:
    from vision.freely.seeing import FreeTable

FreePlaneFlag = Annotated[
    bool,
    typer.Option(
        "--free-plane", help="No layout or fiducials: plane and scale are solved from the sizes of round things."
    ),
]
ProposeFlag = Annotated[
    bool,
    typer.Option(
        "--propose", help="Propose terrain, templates and tokens too: for players to confirm, no rule reads it."
    ),
]
PoseFile = Annotated[
    Path | None, typer.Option(help="POSE.json from `tableside calibrate corners` or `table`: where the camera hangs.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("locate")
    def locate_table(
        image: Annotated[Path, typer.Argument(help="A picture of the table with at least two fiducials in sight.")],
        output: Annotated[Path, typer.Option("-o", "--output", help="The state file to write.")],
        camera: Annotated[Path | None, typer.Option(help="CAM.json from `tableside calibrate camera`.")] = None,
        layout: Annotated[Path | None, typer.Option(help="LAYOUT.json: table size, fiducials, terrain.")] = None,
        pose: PoseFile = None,
        edition: Annotated[EditionId | None, typer.Option(help="Whose base sizes, and whose rules.")] = None,
        catalogue: Annotated[Path | None, typer.Option(help="Base sizes to look for instead.")] = None,
        free_plane: FreePlaneFlag = False,
        propose: ProposeFlag = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print the state on stdout too.")] = False,
    ) -> None:
        """Find every base in one picture: where it lies, its size, its facing, and how surely."""
        keep_large_blocks()
        sizes = sizes_of(edition, catalogue)
        find = freely if free_plane else located
        state = find(image, camera=camera, layout=layout, pose=pose, sizes=sizes, edition=edition, propose=propose)
        save(state, output)
        typer.echo(state.model_dump_json(exclude_none=True) if as_json else f"{_count(state)}: {output}")


def located(
    image: Path, *, camera: Path | None, layout: Path | None, pose: Path | None, sizes: Catalogue,
    edition: EditionId | None, propose: bool = False,
) -> TableState:  # fmt: skip
    """The state of a picture taken with a known camera. Raises: BadInput, TableNotVisible, TooBlurred."""
    from api.pictures import read_picture  # here, so that `ask` does not wait for OpenCV
    from calibration.clearness import check_sharp
    from calibration.picture import check_size
    from calibration.table import locate_table
    from vision.locating import locate
    from vision.proposing.proposing import proposals

    if camera is None:
        raise BadInput(
            "--camera is missing: CAM.json from `tableside calibrate camera`; with --free-plane it may be left out",
            field="camera", value=None,
        )  # fmt: skip
    lens, place = load(Camera, camera, error=BadCamera), whereabouts(layout, pose)
    picture = read_picture(image)
    check_size(picture, lens)
    hangs = place.pose or locate_table(picture, camera=lens, layout=place.layout)
    check_sharp(picture, layout=place.layout, camera=lens, pose=hangs)
    state = locate(
        picture, camera=lens, pose=hangs, layout=place.layout, catalogue=sizes, edition=edition or DEFAULT_EDITION
    )
    return state.with_proposals(proposals(picture, state, camera=lens, pose=hangs)) if propose else state


def freely(
    image: Path, *, camera: Path | None, layout: Path | None, pose: Path | None, sizes: Catalogue,
    edition: EditionId | None, propose: bool = False,
) -> TableState:  # fmt: skip
    """The state of a picture whose plane and scale are solved from the sizes on it; what that means is said on stderr.

    Raises: BadInput, TableNotVisible.
    """
    from api.pictures import read_picture
    from calibration.picture import check_size
    from vision.freely.seeing import seen_freely

    for name, told in (("layout", layout), ("pose", pose)):
        if told is not None:
            raise BadInput(f"--free-plane solves what --{name} tells: give one of them", field=name, value=str(told))
    if propose:
        raise BadInput(
            "--propose needs a camera file and a layout: give it without --free-plane", field="propose", value=True
        )
    picture = read_picture(image)
    lens = load(Camera, camera, error=BadCamera) if camera else None
    if lens is not None:
        check_size(picture, lens)
    seen = seen_freely(picture, catalogue=sizes, edition=edition or DEFAULT_EDITION, camera=lens)
    typer.echo(_told(seen), err=True)
    return seen.state


def _told(seen: "FreeTable") -> str:
    lens = "the camera file's lens" if seen.is_lens_told else "a usual lens, since no camera file was given"
    said = f"Plane and scale were solved from the catalogue's sizes, with {lens}; the frame is the picture's own."
    if seen.other_scales:
        others = ", ".join(f"{scale:g}" for scale in seen.other_scales)
        said += f" The scale is in doubt: all lengths times {others} would explain the picture about as well."
    if seen.unsure:
        said += f" In doubt between sizes: {', '.join(_between(id_, seen.sizes[id_]) for id_ in seen.unsure)}."
    return said


def _between(id_: str, sizes: tuple[tuple[float, float], ...]) -> str:
    """As `m3 (23.25 mm 0.6, 24.25 mm 0.4)`."""
    return f"{id_} ({', '.join(f'{size:g} mm {share:.2f}' for size, share in sizes)})"


def _count(state: TableState) -> str:
    return f"{len(state.miniatures)} bases"


DEFAULT_EDITION: EditionId = "warmachine-prime"


def sizes_of(edition: EditionId | None, catalogue: Path | None) -> Catalogue:
    """The catalogue file's sizes, or the edition's, or all there are."""
    if catalogue is not None:
        return load(Catalogue, catalogue, error=BadInput)
    return catalogue_of((edition,) if edition else ())
