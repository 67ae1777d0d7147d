"""`tableside locate`: one picture of a table becomes one state file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.edition_option import EditionChoice, read_edition
from api.cli.table_files import read_table_files
from api.malloc import keep_large_blocks
from api.storage.files import load, save
from calibration.view import View
from models.base import Catalogue, catalogue_of
from models.camera import Camera
from models.errors import BadCamera, BadInput
from models.hint import Hint, Hints
from models.state import TableState
from models.vocabulary import EditionId

if TYPE_CHECKING:
    from vision.uncalibrated.locate import UncalibratedTable

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
Edition = Annotated[
    str | None,
    typer.Option(help="Whose rules, and usual base sizes: an id, or FILE.toml, a rulebook written as data."),
]
HintsFile = Annotated[
    Path | None,
    typer.Option(help="HINTS.json: places where a base stands, or none does, as somebody sees (`schema hints`)."),
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
        edition: Edition = None,
        catalogue: Annotated[Path | None, typer.Option(help="The only base sizes to look for.")] = None,
        hints: HintsFile = None,
        free_plane: FreePlaneFlag = False,
        propose: ProposeFlag = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print the state on stdout too.")] = False,
    ) -> None:
        """Find every base in one picture: where it lies, its size, its facing, and how surely."""
        keep_large_blocks()
        choice = None if edition is None else read_edition(edition)
        sizes = sizes_of(choice, catalogue)
        find = locate_free_plane if free_plane else locate_calibrated
        given = () if hints is None else load(Hints, hints, error=BadInput).root
        state = find(image, camera=camera, layout=layout, pose=pose, sizes=sizes, propose=propose, hints=given)
        state = state if choice is None else choice.judge(state)
        save(state, output)
        typer.echo(state.model_dump_json(exclude_none=True) if as_json else f"{_count(state)}: {output}")


def locate_calibrated(
    image: Path, *, camera: Path | None, layout: Path | None, pose: Path | None, sizes: Catalogue,
    propose: bool = False, hints: Sequence[Hint] = (),
) -> TableState:  # fmt: skip
    """The state of a picture taken with a known camera. Raises: BadInput, TableNotVisible, TooBlurred."""
    from api.storage.files import read_picture_for  # here, so that `ask` does not wait for OpenCV
    from calibration.image import check_size
    from calibration.pose.image_sharpness import check_sharpness
    from calibration.pose.locate_table import locate_table
    from vision.locate import locate
    from vision.terrain.proposals import propose_terrain

    if camera is None:
        raise BadInput(
            "--camera is missing: CAM.json from `tableside calibrate camera`; with --free-plane it may be left out",
            field="camera", value=None,
        )  # fmt: skip
    lens, place = load(Camera, camera, error=BadCamera), read_table_files(layout, pose)
    picture = read_picture_for(image, lens.image_size)
    check_size(picture, lens)
    hangs = place.pose or locate_table(picture, camera=lens, layout=place.layout)
    view = View(lens, hangs, place.layout)
    check_sharpness(picture, view=view)
    state = locate(picture, view=view, catalogue=sizes, edition=DEFAULT_EDITION, hints=hints)
    return state.with_proposals(propose_terrain(picture, state, camera=lens, pose=hangs)) if propose else state


def locate_free_plane(
    image: Path, *, camera: Path | None, layout: Path | None, pose: Path | None, sizes: Catalogue,
    propose: bool = False, hints: Sequence[Hint] = (),
) -> TableState:  # fmt: skip
    """The state of a picture whose plane and scale are solved from the sizes on it; what that means is said on stderr.

    Raises: BadInput, TableNotVisible.
    """
    from api.storage.files import read_picture
    from calibration.image import check_size
    from vision.uncalibrated.locate import locate_uncalibrated

    for name, told in (("layout", layout), ("pose", pose)):
        if told is not None:
            raise BadInput(f"--free-plane solves what --{name} tells: give one of them", field=name, value=str(told))
    if hints:
        raise BadInput(
            "--hints needs a camera file and a layout: give it without --free-plane", field="hints", value=None
        )
    if propose:
        raise BadInput(
            "--propose needs a camera file and a layout: give it without --free-plane", field="propose", value=True
        )
    picture = read_picture(image)
    lens = load(Camera, camera, error=BadCamera) if camera else None
    if lens is not None:
        check_size(picture, lens)
    seen = locate_uncalibrated(picture, catalogue=sizes, edition=DEFAULT_EDITION, camera=lens)
    typer.echo(_describe_solution(seen), err=True)
    return seen.state


def _describe_solution(seen: "UncalibratedTable") -> str:
    lens = "the camera file's lens" if seen.is_lens_told else "a usual lens, since no camera file was given"
    said = f"Plane and scale were solved from the catalogue's sizes, with {lens}; the frame is the picture's own."
    if seen.other_scales:
        others = ", ".join(f"{scale:g}" for scale in seen.other_scales)
        said += f" The scale is in doubt: all lengths times {others} would explain the picture about as well."
    if seen.unsure:
        said += f" In doubt between sizes: {', '.join(_describe_sizes(id_, seen.sizes[id_]) for id_ in seen.unsure)}."
    return said


def _describe_sizes(id_: str, sizes: tuple[tuple[float, float], ...]) -> str:
    """As `m3 (23.25 mm 0.6, 24.25 mm 0.4)`."""
    return f"{id_} ({', '.join(f'{size:g} mm {share:.2f}' for size, share in sizes)})"


def _count(state: TableState) -> str:
    return f"{len(state.miniatures)} bases"


DEFAULT_EDITION: EditionId = "warmachine-prime"


def sizes_of(choice: EditionChoice | None, catalogue: Path | None) -> Catalogue:
    """The catalogue file's sizes, or all there are, those of the edition likelier than others."""
    if catalogue is not None:
        return load(Catalogue, catalogue, error=BadInput)
    return catalogue_of() if choice is None else choice.catalogue()
