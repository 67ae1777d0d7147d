"""`tableside setup`: from four printed pages, or two blank ones, to a table that is played."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.guided_setup import guide_setup
from api.cli.hosting_options import Host, Port, listen_on
from api.cli.invocation import FILE_NAME, settings_of, wants_json
from api.cli.progress import picture_bar
from api.storage.camera_profiles import device_of, profiles_in
from api.storage.files import load, make_folder, save, write_whole
from models.camera import Camera
from models.errors import BadCamera, BadInput, BadLayout
from models.layout import Layout

if TYPE_CHECKING:
    from api.setup_pictures.sentence import Doubt
    from api.setup_pictures.sweep import SweepPicture
    from calibration.setup.lens_solve import Known
    from calibration.setup.solve_setup import Setup

Pictures = Annotated[
    list[Path] | None, typer.Argument(help="6 to 20 of the table with its pages, or one video; left out: by phone.")
]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="Of pictures: the folder for all that is solved.")]
TableSize = Annotated[tuple[float, float] | None, typer.Option("--table", help="Of pictures: width and depth in mm.")]
Ruler = Annotated[float | None, typer.Option(help="Of pictures: how long the printed 100 mm are; absent: 100.")]
Lens = Annotated[Path | None, typer.Option("--camera", help="Of pictures: this camera's lens is known, its file.")]
KeptLayout = Annotated[Path | None, typer.Option("--layout", help="Of pictures: where the pages lie, solved before.")]
Device = Annotated[str | None, typer.Option(help="Of pictures: keep the lens for it: number, stream or a name.")]
Taps = Annotated[
    tuple[str, str, str, str] | None,
    typer.Option(help="Of each blank sheet the corner at the table's corner, then the opposite one, as x,y each."),
]
Paper = Annotated[str, typer.Option(help="Of blank sheets: a4 or letter.")]
TableName = Annotated[str, typer.Option("--table-name", help="By phone: under which name the table is kept.")]
Source = Annotated[str | None, typer.Option(help="By phone: a recording or picture, in place of a camera.")]


def set_up(
    context: typer.Context,
    pictures: Pictures = None,
    table_name: TableName = "my table",
    source: Source = None,
    output: Output = None,
    table: TableSize = None,
    ruler_mm: Ruler = None,
    camera: Lens = None,
    layout: KeptLayout = None,
    device: Device = None,
    taps: Taps = None,
    paper: Paper = "a4",
    host: Host = "0.0.0.0",
    port: Port = 8017,
) -> None:
    """Set the table up on the phone: choose a camera, print and lay four pages, take pictures, play.

    With pictures that exist: lens, layout and poses are solved together. Print the pages with `tableside print setup`.
    With --taps, for a camera that stays and no printer: one sheet of blank paper lies with a corner at the table's near
    left corner, one at the far right corner, sides along the table's. The four printed pages are surer.
    """
    if not pictures:
        guide_setup(settings_of(context), table_name, source, listen_on(context, host, port))
        return
    if output is None:
        raise BadInput("-o FOLDER is missing: it keeps what is solved", field="output", value=None)
    known = _read_known(camera, layout)
    if taps is not None:
        facts, lines = _solve_sheets(pictures, taps, table, paper, known, output)
    else:
        facts, lines = _solve_pages(context, pictures, table, ruler_mm, known, device, output)
    print(json.dumps(facts, ensure_ascii=False) if wants_json(context) else "\n".join(lines))


def _read_known(camera: Path | None, layout: Path | None) -> "Known":
    from calibration.setup.lens_solve import Known

    return Known(
        camera=load(Camera, camera, error=BadCamera) if camera else None,
        layout=load(Layout, layout, error=BadLayout) if layout else None,
    )


def _solve_pages(
    context: typer.Context, pictures: list[Path], table: tuple[float, float] | None, ruler_mm: float | None,
    known: "Known", device: str | None, output: Path,
) -> tuple[dict[str, object], list[str]]:  # fmt: skip
    """Lens, layout and poses from pictures of the printed pages: no board, no tape. Raises: BadInput, BadFile."""
    from api.setup_pictures.sentence import doubt_of
    from api.setup_pictures.sweep import read_sweep
    from calibration.setup.print_scale import solve_to_scale

    with (bar := picture_bar()):
        task = bar.add_task("", total=None)
        sweep = read_sweep(pictures, progress=lambda name: bar.update(task, advance=1, description=name))
        bar.update(task, description="solving lens and layout")
        setup = solve_to_scale(
            [(picture.name, picture.gray) for picture in sweep],
            table_mm=table,
            ruler_mm=ruler_mm,
            known=_with_exif(known, sweep),
        )
        bar.update(task, description="measuring what is left in doubt")
        doubt = doubt_of(setup, sweep)
    make_folder(output, field="output")
    save(setup.camera, output / "camera.json")
    save(setup.layout, output / "layout.json")
    write_whole(output / "doubt.svg", doubt.svg)
    _keep_settings(output, layout="layout.json", source=device)
    if device is not None:
        profiles_in(settings_of(context).profiles).save(setup.camera, device=device_of(device))
    return _facts(setup, doubt), _describe(setup, doubt, output)


def _with_exif(known: "Known", sweep: "tuple[SweepPicture, ...]") -> "Known":
    from calibration.setup.lens_solve import FocalPrior

    focal = next((picture.focal for picture in sweep if picture.focal is not None), None)
    return known if focal is None else replace(known, focal=FocalPrior(*focal))


def _solve_sheets(
    pictures: list[Path], taps: tuple[str, str, str, str], table: tuple[float, float] | None, paper: str,
    known: "Known", output: Path,
) -> tuple[dict[str, object], list[str]]:  # fmt: skip
    """Lens and pose of a camera that stays, from two sheets of blank paper. Raises: BadInput, BadFile."""
    from api.corners.pose_from_taps import parse_point
    from api.setup_pictures.sentence import doubt_of_sheets
    from api.setup_pictures.sweep import join_photographs
    from api.storage.files import read_bytes
    from calibration.setup.paper import parse_paper
    from calibration.setup.solve_sheets import solve_sheets

    if table is None:
        raise BadInput("--table is missing: the table's width and depth in mm", field="table", value=None)
    if len(pictures) > 1:
        raise BadInput("--taps are of one picture", field="pictures", value=len(pictures))
    points, size = list(map(parse_point, taps)), parse_paper(paper)
    photographs = join_photographs([(pictures[0].name, read_bytes(pictures[0]))])
    known = known if known.camera is not None else _with_exif(known, photographs)
    setup = solve_sheets(photographs[0].gray, points, paper=size, table_mm=table, known=known)
    doubt = doubt_of_sheets(setup, table)
    make_folder(output, field="output")
    save(setup.camera, output / "camera.json")
    save(setup.pose, output / "pose.json")
    write_whole(output / "doubt.svg", doubt.svg)
    _keep_settings(output, pose="pose.json")
    facts: dict[str, object] = {
        "table_mm": list(table), "focal_px": setup.camera.K[0][0], "focal_sigma": setup.focal_sigma,
        "rms_px": setup.pose.rms_px, "middle_mm": doubt.middle_mm, "corners_mm": doubt.corners_mm,
        "says": doubt.sentence, "remarks": list(setup.remarks),
    }  # fmt: skip
    files = f"{output}: camera.json, pose.json, doubt.svg, {FILE_NAME}"
    return facts, [doubt.sentence, *setup.remarks, files]


def _keep_settings(
    folder: Path, *, layout: str | None = None, pose: str | None = None, source: str | None = None
) -> None:
    """So that `tableside serve --settings FOLDER` needs no file by name. Raises: BadFile."""
    from api.cli.settings import write_settings

    named: dict[str, str | None] = (
        {"source": source} if source is not None and (source.isdecimal() or "://" in source) else {}
    )
    write_settings(folder, {"camera": "camera.json", "layout": layout, "pose": pose} | named)


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


def _describe(setup: "Setup", doubt: "Doubt", folder: Path) -> list[str]:
    width, depth = setup.layout.table_mm
    return [
        f"a table of {width:.0f} x {depth:.0f} mm, from {len(setup.pictures)} pictures",
        f"focal length {setup.camera.K[0][0]:.1f} px, known to {100 * setup.focal_sigma:.2f} %; "
        f"residual {setup.rms_px:.3f} px",
        doubt.sentence,
        *setup.remarks,
        f"{folder}: camera.json, layout.json, doubt.svg, {FILE_NAME}",
    ]
