"""`tableside print`: true-size sheets as PDF, and with them the file that describes what was printed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from pydantic import BaseModel

from api.cli.invocation import is_from_settings, settings_of, wants_json
from api.printing.paper import PaperName, orientations
from api.storage.files import save, write_whole
from models.board import BoardFile, CharucoBoard, ChessBoard, CircleBoard
from models.errors import BadInput

if TYPE_CHECKING:
    from api.printing.pdf_document import PrintJob
    from api.printing.pen import Drawing

SheetName = Literal["setup", "charuco", "fiducials", "arc-marks", "templates"]
Pattern = Literal["charuco", "chessboard", "circles"]
_CHECK_RULERS = "Print at 100 %; then both rulers on each page must measure 100 mm."
_CHECK_CORNERS = (
    "Print at 100 %, measure the ruler on one of them, and lay each flat with its cross at its corner of the table."
)

Output = Annotated[Path, typer.Option("-o", "--output", help="The PDF to write.")]
Paper = Annotated[PaperName, typer.Option(help="Size of the paper.")]
BoardPattern = Annotated[Pattern, typer.Option(help="Of charuco: which board, for `tableside calibrate camera`.")]
Columns = Annotated[int | None, typer.Option(help="Of charuco: squares across, or dots in a row.", min=2)]
Rows = Annotated[int | None, typer.Option(help="Of charuco: from top to bottom.", min=2)]
Square = Annotated[float | None, typer.Option(help="Of charuco: side of a square, row to row; absent: to fit.", min=2)]
MarkerSide = Annotated[float | None, typer.Option(help="Of a marker; absent: 3/4 of a square, or 80.", max=1000.0)]
Dictionary = Annotated[str | None, typer.Option(help="Whose markers: APRILTAG_36h11 or an ArUco dictionary.")]
Ids = Annotated[str | None, typer.Option(help="Of fiducials: which, such as 0-3,7; absent: 0-3.")]
TableSize = Annotated[tuple[float, float] | None, typer.Option(help="Of fiducials: the table; absent: 4 x 4 feet.")]
Bases = Annotated[str | None, typer.Option(help="Of arc-marks: diameters of the bases; absent: 30,40,50,120.")]
Arc = Annotated[float | None, typer.Option(help="Of arc-marks: the front arc; absent: 180.", min=10, max=350)]
Discs = Annotated[str | None, typer.Option(help="Of templates: diameters of the round ones; absent: 3,4,5.")]
Flame = Annotated[bool | None, typer.Option("--flame/--no-flame", help="Of templates: the teardrop of 8 inches.")]
Spray = Annotated[str | None, typer.Option(help="Of templates: your spray's width near and at 10 inches, as 20,60.")]


def print_sheet(
    context: typer.Context,
    sheet: Annotated[SheetName, typer.Argument(help="What to print.")],
    output: Output,
    paper: Paper = PaperName.A4,
    pattern: BoardPattern = "charuco",
    columns: Columns = None,
    rows: Rows = None,
    square_mm: Square = None,
    marker_mm: MarkerSide = None,
    dictionary: Dictionary = None,
    ids: Ids = None,
    table_mm: TableSize = None,
    bases_mm: Bases = None,
    arc_deg: Arc = None,
    discs_in: Discs = None,
    flame: Flame = None,
    spray_widths_mm: Spray = None,
) -> None:
    """Make true-size PDF sheets, each with rulers to check the print by.

    setup: the four pages of `tableside setup`, one a corner. charuco: a calibration board, described in OUT.board.json.
    fiducials: markers around the table, and in OUT.layout.json where they might lie. arc-marks: rings that show where a
    base's front arc ends. templates: round ones, flame, and spray if its widths are given.
    """
    options = {
        "columns": columns, "rows": rows, "square_mm": square_mm, "marker_mm": marker_mm,
        "dictionary": dictionary, "ids": ids, "table_mm": table_mm, "bases_mm": bases_mm, "arc_deg": arc_deg,
        "discs_in": discs_in, "flame": flame, "spray_widths_mm": spray_widths_mm,
    }  # fmt: skip
    kind = pattern if sheet == "charuco" else sheet
    draw, known = _DRAWN.get(kind, (None, ()))
    given = {name: value for name, value in options.items() if value is not None}
    for name in given.keys() - {*known, "pattern"}:
        if not is_from_settings(context, name):
            raise BadInput(f"--{name.replace('_', '-')} is no option of {kind}", field=name, value=given[name])
    if draw is None:
        _print_setup_pages(output, paper, as_json=wants_json(context))
        return
    if kind == "fiducials":
        given.setdefault("dictionary", settings_of(context).dictionary)
    printed = draw(paper, **{name: value for name, value in given.items() if name in known})
    _write_sheet(printed, output, paper, as_json=wants_json(context))


@dataclass(frozen=True)
class Sheet:
    """What is drawn, and the files that describe it, by the ends of their names."""

    job: "PrintJob"
    described: Mapping[str, BaseModel] = field(default_factory=dict)


def _draw_board(board: CharucoBoard | ChessBoard | CircleBoard, paper: PaperName) -> Sheet:
    """A calibration board on as few pages as will do, and its description."""
    from api.printing.boards import draw_board
    from api.printing.pdf_document import PrintJob

    drawing = draw_board(board)
    advice = "Glue it to something flat and stiff, such as glass: a bent board bends what is measured."
    if not any(page.has_room_for(drawing.width_mm, drawing.height_mm) for page in orientations(paper)):
        advice = "Joined pages are never quite flat and true: for calibration choose larger paper or smaller squares."
    job = PrintJob("calibration board", (drawing.says + ".", advice), [drawing])
    return Sheet(job, {"board": BoardFile(board=board)})


def _draw_charuco(
    paper: PaperName, *, columns: int = 11, rows: int = 8, square_mm: float | None = None,
    marker_mm: float | None = None, dictionary: str = "DICT_5X5_250",
) -> Sheet:  # fmt: skip
    side = square_mm or _largest_square_mm(columns, rows, paper)
    marker = marker_mm or round(0.75 * side, 1)
    board = CharucoBoard(squares_x=columns, squares_y=rows, square_mm=side, marker_mm=marker, dictionary=dictionary)
    return _draw_board(board, paper)


def _draw_chessboard(paper: PaperName, *, columns: int = 10, rows: int = 7, square_mm: float | None = None) -> Sheet:
    side = square_mm or _largest_square_mm(columns, rows, paper)
    board = ChessBoard(type="chessboard", corners_x=columns - 1, corners_y=rows - 1, square_mm=side)
    return _draw_board(board, paper)


def _draw_circles(paper: PaperName, *, columns: int = 4, rows: int = 11, square_mm: float | None = None) -> Sheet:
    step = square_mm or _largest_square_mm(2 * columns + 1, rows + 1, paper)
    board = CircleBoard(
        type="asymmetric-circles", circles_x=columns, circles_y=rows, spacing_mm=step, diameter_mm=0.9 * step
    )
    return _draw_board(board, paper)


def _largest_square_mm(columns: int, rows: int, paper: PaperName) -> float:
    """The largest whole millimetre that lets so many fit on one page. Raises: BadInput."""
    side = max(int(min(page.field_mm[0] / columns, page.field_mm[1] / rows)) for page in orientations(paper))
    if side < 2:
        raise BadInput(f"columns: so many do not fit on {paper.value}", field="columns", value=columns)
    return float(side)


def _draw_fiducials(
    _: PaperName, *, dictionary: str, ids: str = "0-3", marker_mm: float = 80.0,
    table_mm: tuple[float, float] = (1219.2, 1219.2),
) -> Sheet:  # fmt: skip
    """Markers to lay around the table, and the layout where they might lie."""
    from api.printing.boards import propose_layout, tag
    from api.printing.pdf_document import PrintJob

    numbers = _parse_ids(ids)
    if marker_mm < 5:
        raise BadInput("marker_mm: at least 5", field="marker_mm", value=marker_mm)
    if min(table_mm) <= marker_mm:
        raise BadInput("table_mm: the table is larger than a marker", field="table_mm", value=list(table_mm))
    drawings = [tag(number, dictionary=dictionary, marker_mm=marker_mm) for number in numbers]
    says = (
        f"{dictionary}, ids {', '.join(map(str, numbers))}. Each black square is {marker_mm:g} x {marker_mm:g} mm.",
        "Cut along the dashed lines, never into the white rim; glue them flat; no two with the same number.",
    )
    layout = propose_layout(numbers, dictionary=dictionary, marker_mm=marker_mm, table_mm=table_mm, sigma_mm=0.5)
    return Sheet(PrintJob("fiducials", says, drawings), {"layout": layout})


def _parse_ids(text: str) -> list[int]:
    """The numbers of `0-3,7`. Raises: BadInput."""
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise BadInput(f"ids: {part!r} is no number and no range", field="ids", value=text)
        numbers += range(int(first), min(int(last or first), int(first) + 1000) + 1)
    if not numbers or len(set(numbers)) < len(numbers):
        raise BadInput("ids: each number once, and at least one", field="ids", value=text)
    return numbers


def _draw_arc_marks(_: PaperName, *, bases_mm: str = "30,40,50,120", arc_deg: float = 180.0) -> Sheet:
    """Rings that show where a base's front arc ends and where its front is, to mark the rim by."""
    from api.printing.pdf_document import PrintJob
    from api.printing.templates import arc_ring

    diameters = _parse_numbers(bases_mm, "bases_mm", least=10, most=200)
    drawings = [arc_ring(diameter, arc_deg=arc_deg) for diameter in diameters]
    says = (
        f"Rings for bases of {', '.join(f'{d:g}' for d in diameters)} mm; front arc {arc_deg:g} degrees.",
        "Cut out the inner circle, lay the ring around the base, mark its rim at the two ticks and at the dot.",
    )
    return Sheet(PrintJob("front-arc marks", says, drawings))


def _draw_templates(
    _: PaperName, *, discs_in: str = "3,4,5", flame: bool = True, spray_widths_mm: str | None = None
) -> Sheet:
    """Round templates, the flame, and the spray of 6, 8 and 10 inches if its widths are given: no book says them."""
    from api.printing import templates
    from api.printing.pdf_document import PrintJob

    drawings = [templates.disc(size) for size in _parse_numbers(discs_in, "discs_in", least=1, most=12)]
    drawings += [templates.flame()] if flame else []
    if spray_widths_mm is not None:
        widths = _parse_numbers(spray_widths_mm, "spray_widths_mm", least=1, most=150)
        if len(widths) != 2:
            raise BadInput("spray_widths_mm: two of them", field="spray_widths_mm", value=spray_widths_mm)
        drawings.append(templates.spray(widths[0], widths[1]))
    says = ("; ".join(drawing.says for drawing in part) for part in (drawings[:3], drawings[3:]))
    return Sheet(PrintJob("templates", tuple(line for line in says if line), drawings))


def _parse_numbers(text: str, field: str, *, least: float, most: float) -> list[float]:
    """Numbers parted by commas. Raises: BadInput."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise BadInput(f"{field}: numbers parted by commas, not {text!r}", field=field, value=text) from None
    if not all(least <= number <= most for number in numbers):
        raise BadInput(f"{field}: each between {least:g} and {most:g}", field=field, value=text)
    return numbers


def _print_setup_pages(output: Path, paper: PaperName, *, as_json: bool) -> None:
    """The four pages of `tableside setup`, one for each corner of the table, with a ruler of 100 mm on each."""
    from api.printing.boards import CORNERS, render_setup_pages

    write_whole(output, render_setup_pages(paper))
    if as_json:
        print(json.dumps({"pdf": str(output), "pages": len(CORNERS), "corners": list(CORNERS)}))
        return
    places = ", ".join(f"{k} {corner}" for k, corner in enumerate(CORNERS, start=1))
    print(f"{output}: {len(CORNERS)} pages: {places}\n{_CHECK_CORNERS}")


def _write_sheet(sheet: Sheet, output: Path, paper: PaperName, *, as_json: bool) -> None:
    """The PDF, the files that describe it, and a word about both."""
    from api.printing.pdf_document import lay_out, render_pdf

    job, pdf = sheet.job, render_pdf(sheet.job, paper)
    pages = len(lay_out(job.drawings, paper))
    paths = {name: output.with_suffix(f".{name}.json") for name in sheet.described}
    for name, path in paths.items():
        save(sheet.described[name], path)
    write_whole(output, pdf)
    if as_json:
        facts = {"pdf": str(output), "pages": pages, "drawings": _describe(job.drawings)}
        print(json.dumps(facts | {name: str(path) for name, path in paths.items()}, ensure_ascii=False))
        return
    lines = [f"{output}: {pages} page{'s' if pages > 1 else ''}", *job.says]
    print("\n".join([*lines, *(f"{path}: describes it" for path in paths.values()), _CHECK_RULERS]))


def _describe(drawings: "Sequence[Drawing]") -> list[dict[str, object]]:
    return [{"says": d.says, "width_mm": d.width_mm, "height_mm": d.height_mm} for d in drawings]


_SQUARES = ("columns", "rows", "square_mm")
_DRAWN: dict[str, tuple[Callable[..., Sheet], tuple[str, ...]]] = {
    "charuco": (_draw_charuco, (*_SQUARES, "marker_mm", "dictionary")),
    "chessboard": (_draw_chessboard, _SQUARES),
    "circles": (_draw_circles, _SQUARES),
    "fiducials": (_draw_fiducials, ("ids", "dictionary", "marker_mm", "table_mm")),
    "arc-marks": (_draw_arc_marks, ("bases_mm", "arc_deg")),
    "templates": (_draw_templates, ("discs_in", "flame", "spray_widths_mm")),
}
