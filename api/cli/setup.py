"""`tableside setup`: from four printed pages, or two blank ones, to a table that is played."""

import json
import re
import socket
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.camera.protocol import Job
from api.cli.hosting_options import Host, Port, listen_on, open_table
from api.cli.invocation import FILE_NAME, picture_bar, settings_of, wants_json
from api.server.bind import ListenOptions
from api.storage.camera_profiles import device_of, profiles_in
from api.storage.files import load, make_folder, portable_name, save, write_whole
from models.camera import Camera
from models.errors import BadCamera, BadInput, BadLayout
from models.layout import Layout, LayoutTerrain, NoFiducials

if TYPE_CHECKING:
    from api.cli.settings import Settings
    from api.setup_pictures.draft import DraftFolder
    from api.setup_pictures.setup_guide import SetupGuide
    from api.setup_pictures.sweep import Doubt, SweepPicture
    from calibration.setup.lens_solve import Known
    from calibration.setup.solve_setup import Setup

Pictures = Annotated[
    list[Path] | None, typer.Argument(help="6 to 20 of the table with its pages, or one video; left out: by phone.")
]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="Of pictures: the folder for all that is solved.")]
TableSize = Annotated[tuple[float, float] | None, typer.Option("--table", help="Of pictures: width and depth in mm.")]
Ruler = Annotated[float | None, typer.Option(help="Of pictures: how long the printed 100 mm are; absent: 100.")]
TapeLength = Annotated[
    tuple[int, int, float] | None,
    typer.Option("--tape", help="Of pictures: two pages and the mm between their crosses, such as 1 3 1724."),
]
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
    tape: TapeLength = None,
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
        facts, lines = _solve_pages(context, pictures, table, (ruler_mm, tape), known, device, output)
    print(json.dumps(facts, ensure_ascii=False) if wants_json(context) else "\n".join(lines))


def _read_known(camera: Path | None, layout: Path | None) -> "Known":
    from calibration.setup.lens_solve import Known

    return Known(
        camera=load(Camera, camera, error=BadCamera) if camera else None,
        layout=load(Layout, layout, error=BadLayout) if layout else None,
    )


def _solve_pages(
    context: typer.Context, pictures: list[Path], table: tuple[float, float] | None,
    measured: tuple[float | None, tuple[int, int, float] | None], known: "Known", device: str | None, output: Path,
) -> tuple[dict[str, object], list[str]]:  # fmt: skip
    """Lens, layout and poses from pictures of the printed pages; `measured`: ruler and tape, where somebody did.

    Raises: BadInput, BadFile.
    """
    from api.setup_pictures.sweep import doubt_of, read_sweep
    from calibration.setup.print_scale import Tape, solve_to_scale

    ruler_mm, tape = measured
    taped = None if tape is None else Tape(*tape)
    with (bar := picture_bar()):
        task = bar.add_task("", total=None)
        sweep = read_sweep(pictures, progress=lambda name: bar.update(task, advance=1, description=name))
        bar.update(task, description="solving lens and layout")
        setup = solve_to_scale(
            [(picture.name, picture.gray) for picture in sweep],
            table_mm=table,
            ruler_mm=ruler_mm,
            tape=taped,
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
    from api.setup_pictures.sweep import doubt_of_view, join_photographs
    from api.storage.files import read_bytes
    from calibration.setup.paper import parse_paper
    from calibration.setup.solve_sheets import solve_sheets
    from calibration.view import View

    if table is None:
        raise BadInput("--table is missing: the table's width and depth in mm", field="table", value=None)
    if len(pictures) > 1:
        raise BadInput("--taps are of one picture", field="pictures", value=len(pictures))
    points, size = list(map(parse_point, taps)), parse_paper(paper)
    photographs = join_photographs([(pictures[0].name, read_bytes(pictures[0]))])
    known = known if known.camera is not None else _with_exif(known, photographs)
    setup = solve_sheets(photographs[0].gray, points, paper=size, table_mm=table, known=known)
    doubt = doubt_of_view(View.of_bare_table(setup.camera, setup.pose, table))
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


def guide_setup(settings: "Settings", table_name: str, source: str | None, listen: ListenOptions) -> None:
    """Serve the page; once somebody begins, the table in its place. Raises: BadInput, BadFile."""
    from api.setup_pictures.draft import DraftFolder, tables_folder

    folder = DraftFolder((settings.tables or tables_folder()) / portable_name(_checked(table_name)))
    listen = _with_port(listen)
    game = folder.path / "games" / date.today().isoformat()
    job = _guide(folder, table_name, source, settings.profiles, game, listen)
    if job is not None:
        keep_job(job, folder.path)
        open_table(
            None, lambda: job, listen=listen, data=game, is_open=False, settings=settings, setups=folder.setups()
        )


def keep_job(job: Job, folder: Path) -> Path:
    """The settings by which `tableside serve` plays at this table again. Raises: BadFile."""
    from api.cli.settings import write_settings

    layout = "layout.json" if job.pose is None else None
    if layout is not None and job.layout.terrain:
        layout = "table.json"  # the layout as it was solved, with the terrain that lies on it
        save(job.layout, folder / layout)
    source = job.source
    path = Path(source)
    values = {
        "source": str(path.resolve()) if path.exists() else source,
        "camera": "camera.json",
        "layout": layout,
        "pose": None if job.pose is None else "pose.json",
        "edition": job.edition,
    }
    return write_settings(folder, values)


def _guide(
    folder: "DraftFolder", table_name: str, source: str | None, profiles: Path | None, game: Path, listen: ListenOptions
) -> Job | None:
    """The job of the table once somebody begins; None when the server was stopped before."""
    from api.camera.live_source import list_devices
    from api.journal.file_journal import FileJournal
    from api.routes.guided_setup import create_setup_app
    from api.seats.sessions import SeatSessions
    from api.server.journal_entries import ENTRY_CLASSES
    from api.server.serve import serve, stop
    from api.setup_pictures.preview import encode_preview, grab_allowed
    from api.setup_pictures.schemas import CameraChoice
    from api.setup_pictures.setup_guide import SetupGuide

    grab = grab_allowed(source)
    setup = SetupGuide(table_name, folder, grab, profiles_in(profiles))
    begun = False

    def begin() -> None:
        nonlocal begun
        begun = True
        stop(app)

    def cameras() -> tuple[CameraChoice, ...]:
        given = () if source is None else (CameraChoice(source=source, name=Path(source).name),)
        return (*given, *(CameraChoice(source=place, name=name) for place, name in list_devices()))

    with closing(FileJournal(game, ENTRY_CLASSES)) as journal:
        seats = SeatSessions(journal)
        app = create_setup_app(
            setup,
            seats=seats,
            cameras=cameras,
            preview=lambda chosen: encode_preview(grab(chosen)),
            begin=begin,
            names=listen.names,
        )
        serve(app, listen, codes={"players": seats.codes["players"]})
    return job_of(setup, folder) if begun else None


def job_of(setup: "SetupGuide", folder: "DraftFolder") -> Job:
    """The table that was begun, with the terrain that lies on it."""
    draft = setup.draft
    source = {"phone": "photographs", "photograph": str(folder.photograph())}.get(draft.eye or "", draft.source)
    assert source is not None
    terrain = tuple(LayoutTerrain(**piece.model_dump()) for piece in setup.laid_terrain)
    if draft.result is not None and draft.result.by != "pages":
        layout = Layout(table_mm=draft.result.table_mm, fiducials=NoFiducials(), terrain=terrain)
        further_views = folder.further_views() if draft.result.by == "marks" else ()
        return Job(
            source=source, camera=folder.camera(), layout=layout, edition=draft.edition, pose=folder.pose(),
            further_views=further_views,
        )  # fmt: skip
    solved = folder.layout()
    layout = Layout(table_mm=solved.table_mm, fiducials=solved.fiducials, terrain=terrain)
    return Job(source=source, camera=folder.camera(), layout=layout, edition=draft.edition)


def _with_port(listen: ListenOptions) -> ListenOptions:
    """The same with a free port where any would do: the table's server answers where the set-up's did."""
    if listen.port:
        return listen
    with socket.create_server((listen.host, 0)) as probe:
        return replace(listen, port=probe.getsockname()[1])


def _checked(table_name: str) -> str:
    if not re.fullmatch(r"[\w][\w .-]{0,60}", table_name):
        raise BadInput(
            f"{table_name!r} cannot name a folder: use letters, digits, blanks and dashes",
            field="table_name",
            value=table_name,
        )
    return table_name
