"""`tableside setup solve`: pictures of the set-up pages on a table become a camera file and a layout file."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.calibrate import Json, progress_bar
from api.cli.guided_setup import guide
from api.storage.camera_profiles import device_of, profiles_in
from api.storage.files import load, save, write_whole
from models.camera import Camera
from models.errors import BadCamera, BadFile, BadLayout
from models.layout import Layout

if TYPE_CHECKING:
    from api.setup_pictures.sentence import Doubt
    from api.setup_pictures.sweep import SweepPicture
    from calibration.setup.lens_solve import Known
    from calibration.setup.solve_setup import Setup

command = typer.Typer(help="From four printed pages to a table that is played.")

Pictures = Annotated[
    list[Path], typer.Argument(help="6 to 20 pictures of the table with its pages, from all sides; or one video.")
]
Out = Annotated[Path, typer.Option("-o", "--output", help="The folder for camera.json, layout.json and doubt.svg.")]
SheetsOut = Annotated[Path, typer.Option("-o", "--output", help="The folder for camera.json, pose.json and doubt.svg.")]
Taps = Annotated[
    tuple[str, str, str, str],
    typer.Option(help="Of each sheet the corner at the table's corner, then the opposite one, as x,y each."),
]
Table = Annotated[
    tuple[float, float] | None, typer.Option(help="The table's width and depth in mm; absent: as the marks lie.")
]
Ruler = Annotated[
    float | None, typer.Option(help="How long the printed ruler of 100 mm is, in mm; absent: as it should be.")
]
Lens = Annotated[Path | None, typer.Option(help="This camera's lens is known: its file.")]
Lies = Annotated[
    Path | None, typer.Option(help="The pages lie as in this layout, which another camera solved: keep it.")
]
Device = Annotated[
    str | None, typer.Option(help="Keep the lens for this device too: its number, its stream's address, or a name.")
]
Folder = Annotated[Path | None, typer.Option(help="Where profiles of cameras are kept.")]


@command.command("solve")
def solve(
    pictures: Pictures, output: Out, table: Table = None, ruler_mm: Ruler = None, camera: Lens = None,
    layout: Lies = None, device: Device = None, profiles: Folder = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Solve lens, layout and poses together from pictures of the printed pages: no board, no tape, no JSON.

    Print the pages with `tableside print setup`. `tableside locate` and `serve` take the two files that this writes.
    """
    from api.setup_pictures.sentence import doubt_of
    from api.setup_pictures.sweep import read_sweep
    from calibration.setup.lens_solve import Known
    from calibration.setup.print_scale import solve_to_scale

    held = Known(
        camera=load(Camera, camera, error=BadCamera) if camera else None,
        layout=load(Layout, layout, error=BadLayout) if layout else None,
    )
    with (bar := progress_bar()):
        task = bar.add_task("", total=None)
        sweep = read_sweep(pictures, progress=lambda name: bar.update(task, advance=1, description=name))
        bar.update(task, description="solving lens and layout")
        setup = solve_to_scale(
            [(one.name, one.gray) for one in sweep], table_mm=table, ruler_mm=ruler_mm, known=_with_exif(held, sweep)
        )
        bar.update(task, description="measuring what is left in doubt")
        doubt = doubt_of(setup, sweep)
    _keep(setup, doubt, output)
    if device is not None:
        profiles_in(profiles).save(setup.camera, device=device_of(device))
    print(json.dumps(_facts(setup, doubt), ensure_ascii=False) if as_json else _describe(setup, doubt, output))


@command.command("sheets")
def sheets(
    picture: Annotated[Path, typer.Argument(help="A picture by the camera that stays, of two sheets of blank paper.")],
    output: SheetsOut,
    table: Annotated[tuple[float, float], typer.Option(help="The table's width and depth in mm.")],
    taps: Taps,
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    camera: Lens = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Without a printer: lens and pose of a camera that stays, from two sheets of blank paper and four taps.

    One sheet lies with a corner at the table's near left corner, one at the far right corner, sides along the table's.
    The four printed pages are surer; `tableside locate --camera --pose` takes the two files that this writes.
    """
    from api.corners.pose_from_taps import parse_point
    from api.setup_pictures.sentence import doubt_of_sheets
    from api.setup_pictures.sweep import join_photographs
    from api.storage.files import read_bytes
    from calibration.setup.lens_solve import FocalPrior, Known
    from calibration.setup.paper import parse_paper
    from calibration.setup.solve_sheets import solve_sheets

    points, size = [parse_point(one) for one in taps], parse_paper(paper)
    (one,) = join_photographs([(picture.name, read_bytes(picture))])
    known = Known(
        camera=load(Camera, camera, error=BadCamera) if camera else None,
        focal=None if one.focal is None or camera else FocalPrior(*one.focal),
    )
    setup = solve_sheets(one.gray, points, paper=size, table_mm=table, known=known)
    doubt = doubt_of_sheets(setup, table)
    _make_folder(output)
    save(setup.camera, output / "camera.json")
    save(setup.pose, output / "pose.json")
    write_whole(output / "doubt.svg", doubt.svg)
    facts = {
        "table_mm": list(table), "focal_px": setup.camera.K[0][0], "focal_sigma": setup.focal_sigma,
        "rms_px": setup.pose.rms_px, "middle_mm": doubt.middle_mm, "corners_mm": doubt.corners_mm,
        "says": doubt.sentence, "remarks": list(setup.remarks),
    }  # fmt: skip
    lines = [doubt.sentence, *setup.remarks, f"{output}: camera.json, pose.json, doubt.svg"]
    print(json.dumps(facts, ensure_ascii=False) if as_json else "\n".join(lines))


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.add_typer(command, name="setup")


command.callback(invoke_without_command=True)(guide)


def _with_exif(known: "Known", sweep: "tuple[SweepPicture, ...]") -> "Known":
    from dataclasses import replace

    from calibration.setup.lens_solve import FocalPrior

    found = next((one.focal for one in sweep if one.focal is not None), None)
    return known if found is None else replace(known, focal=FocalPrior(*found))


def _keep(setup: "Setup", doubt: "Doubt", folder: Path) -> None:
    """Both files and the map. Raises: BadFile."""
    _make_folder(folder)
    save(setup.camera, folder / "camera.json")
    save(setup.layout, folder / "layout.json")
    write_whole(folder / "doubt.svg", doubt.svg)


def _make_folder(folder: Path) -> None:
    """Raises: BadFile."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFile(f"{folder}: {wrong.strerror}", field="output", value=str(folder)) from wrong


def _facts(setup: "Setup", doubt: "Doubt") -> dict[str, object]:
    return {
        "table_mm": list(setup.layout.table_mm),
        "pictures": list(setup.pictures),
        "focal_px": setup.camera.K[0][0],
        "focal_sigma": setup.focal_sigma,
        "rms_px": setup.rms_px,
        "bends_mm": list(setup.bends_mm),
        "scale_sigma": setup.layout.fiducials.scale_sigma,
        "middle_mm": doubt.middle_mm,
        "corners_mm": doubt.corners_mm,
        "says": doubt.sentence,
        "remarks": list(setup.remarks),
    }


def _describe(setup: "Setup", doubt: "Doubt", folder: Path) -> str:
    width, depth = setup.layout.table_mm
    lines = [
        f"a table of {width:.0f} x {depth:.0f} mm, from {len(setup.pictures)} pictures",
        f"focal length {setup.camera.K[0][0]:.1f} px, known to {100 * setup.focal_sigma:.2f} %; "
        f"residual {setup.rms_px:.3f} px",
        doubt.sentence,
        *setup.remarks,
        f"{folder}: camera.json, layout.json, doubt.svg",
    ]
    return "\n".join(lines)
