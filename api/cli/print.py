"""`tableside print`: true-size sheets as PDF, and beside them the file that describes what was printed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import BaseModel

from api.files import save, write_whole
from api.sheets.paper import PaperName, ways_up
from models.board import BoardFile, CharucoBoard, ChessBoard, CircleBoard
from models.errors import BadInput

if TYPE_CHECKING:
    from api.sheets.document import Printed
    from api.sheets.drawing import Drawing

command = typer.Typer(help="Make true-size PDF sheets, each with rulers to check the print by.", no_args_is_help=True)

Output = Annotated[Path, typer.Option("-o", "--output", help="The PDF to write.")]
Paper = Annotated[PaperName, typer.Option(help="Size of the paper.")]
Json = Annotated[bool, typer.Option("--json", help="Print what was made as JSON on stdout.")]
Square = Annotated[float | None, typer.Option(help="Side of a square; absent: as large as one page holds.", min=2)]
Columns = Annotated[int, typer.Option(help="Squares across.", min=3)]
Rows = Annotated[int, typer.Option(help="Squares from top to bottom.", min=3)]

_LARGEST_TAG_MM = 1000.0


@command.command("charuco")
def charuco(
    output: Output,
    squares_x: Columns = 11,
    squares_y: Rows = 8,
    square_mm: Square = None,
    marker_mm: Annotated[float | None, typer.Option(help="Side of a marker; absent: 3/4 of a square.", min=1)] = None,
    dictionary: Annotated[str, typer.Option(help="Whose markers.")] = "DICT_5X5_250",
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """A ChArUco board for `tableside calibrate camera`, and its description as OUT.board.json."""
    side = square_mm or _largest(squares_x, squares_y, paper, field="squares_x")
    board = CharucoBoard(
        squares_x=squares_x,
        squares_y=squares_y,
        square_mm=side,
        marker_mm=marker_mm or round(0.75 * side, 1),
        dictionary=dictionary,
    )
    _print_board(board, output, paper, as_json=as_json)


@command.command("chessboard")
def chessboard(
    output: Output,
    squares_x: Columns = 10,
    squares_y: Rows = 7,
    square_mm: Square = None,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """A chessboard for `tableside calibrate camera`, and its description as OUT.board.json."""
    side = square_mm or _largest(squares_x, squares_y, paper, field="squares_x")
    board = ChessBoard(type="chessboard", corners_x=squares_x - 1, corners_y=squares_y - 1, square_mm=side)
    _print_board(board, output, paper, as_json=as_json)


@command.command("circles")
def circles(
    output: Output,
    circles_x: Annotated[int, typer.Option(help="Dots in a row.", min=2)] = 4,
    circles_y: Annotated[int, typer.Option(help="Rows.", min=2)] = 11,
    spacing_mm: Annotated[
        float | None, typer.Option(help="From a row to the next; absent: as large as one page holds.", min=2)
    ] = None,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """A staggered grid of dots for `tableside calibrate camera`, and its description as OUT.board.json."""
    step = spacing_mm or _largest(2 * circles_x + 1, circles_y + 1, paper, field="circles_x")
    board = CircleBoard(
        type="asymmetric-circles", circles_x=circles_x, circles_y=circles_y, spacing_mm=step, diameter_mm=0.9 * step
    )
    _print_board(board, output, paper, as_json=as_json)


@command.command("fiducials")
def fiducials(
    output: Output,
    ids: Annotated[str, typer.Option(help="Which markers, such as 0-3,7.")] = "0-3",
    dictionary: Annotated[str, typer.Option(help="APRILTAG_36h11 or an ArUco dictionary.")] = "APRILTAG_36h11",
    marker_mm: Annotated[float, typer.Option(help="Side of the black square.", min=5, max=_LARGEST_TAG_MM)] = 80.0,
    table_mm: Annotated[tuple[float, float], typer.Option(help="Width and depth of the table.")] = (1219.2, 1219.2),
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """Markers to lay around the table, and as OUT.layout.json where they might lie."""
    from api.sheets.document import Printed
    from api.sheets.tags import proposed_layout, tag

    numbers = _ids(ids)
    if min(table_mm) <= marker_mm:
        raise BadInput("table_mm: the table is larger than a marker", field="table_mm", value=list(table_mm))
    drawings = [tag(number, dictionary=dictionary, marker_mm=marker_mm) for number in numbers]
    says = (
        f"{dictionary}, ids {', '.join(map(str, numbers))}. Each black square is {marker_mm:g} x {marker_mm:g} mm.",
        "Cut along the dashed lines, never into the white rim; glue them flat; no two with the same number.",
    )
    layout = proposed_layout(numbers, dictionary=dictionary, marker_mm=marker_mm, table_mm=table_mm, sigma_mm=0.5)
    printed = Printed("fiducials", says, drawings)
    _finish(printed, output, paper, beside={"layout": layout}, as_json=as_json)


@command.command("arc-marks")
def arc_marks(
    output: Output,
    bases_mm: Annotated[str, typer.Option(help="Diameters of the bases.")] = "30,40,50,120",
    arc_deg: Annotated[float, typer.Option(help="The front arc.", min=10, max=350)] = 180.0,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """Rings that show where a base's front arc ends and where its front is, to mark the rim by."""
    from api.sheets.arc_marks import arc_ring
    from api.sheets.document import Printed

    diameters = _numbers(bases_mm, "bases_mm", least=10, most=200)
    drawings = [arc_ring(diameter, arc_deg=arc_deg) for diameter in diameters]
    says = (
        f"Rings for bases of {', '.join(f'{d:g}' for d in diameters)} mm; front arc {arc_deg:g} degrees.",
        "Cut out the inner circle, lay the ring around the base, mark its rim at the two ticks and at the dot.",
    )
    _finish(Printed("front-arc marks", says, drawings), output, paper, as_json=as_json)


@command.command("templates")
def templates(
    output: Output,
    discs_in: Annotated[str, typer.Option(help="Diameters of round templates.")] = "3,4,5",
    with_flame: Annotated[bool, typer.Option("--flame/--no-flame", help="The teardrop of 8 inches.")] = True,
    spray_widths_mm: Annotated[
        str | None, typer.Option(help="Your spray template's width at its near end and at 10 inches, such as 20,60.")
    ] = None,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """Round templates, the flame, and the spray of 6, 8 and 10 inches if its widths are given: no book says them."""
    from api.sheets.document import Printed
    from api.sheets.templates import disc, flame, spray

    drawings = [disc(size) for size in _numbers(discs_in, "discs_in", least=1, most=12)]
    drawings += [flame()] if with_flame else []
    if spray_widths_mm is not None:
        widths = _numbers(spray_widths_mm, "spray_widths_mm", least=1, most=150)
        if len(widths) != 2:
            raise BadInput("spray_widths_mm: two of them", field="spray_widths_mm", value=spray_widths_mm)
        drawings.append(spray(widths[0], widths[1]))
    says = ("; ".join(one.says for one in drawings[:3]), "; ".join(one.says for one in drawings[3:]))
    _finish(Printed("templates", tuple(line for line in says if line), drawings), output, paper, as_json=as_json)


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.add_typer(command, name="print")


def _print_board(
    board: CharucoBoard | ChessBoard | CircleBoard, output: Path, paper: PaperName, *, as_json: bool
) -> None:
    from api.sheets.boards import drawing_of
    from api.sheets.document import Printed

    drawing = drawing_of(board)
    flat = "Glue it to something flat and stiff, such as glass: a bent board bends what is measured."
    if not any(way.holds(drawing.width_mm, drawing.height_mm) for way in ways_up(paper)):
        flat = "Joined pages are never quite flat and true: for calibration choose larger paper or smaller squares."
    printed = Printed("calibration board", (drawing.says + ".", flat), [drawing])
    _finish(printed, output, paper, beside={"board": BoardFile(board=board)}, as_json=as_json)


def _finish(
    printed: "Printed",
    output: Path,
    paper: PaperName,
    *,
    beside: dict[str, BaseModel] | None = None,
    as_json: bool,
) -> None:
    """Write the files and say what they are."""
    from api.sheets.document import pdf_of
    from api.sheets.sheet import lay_out

    pages = len(lay_out(printed.drawings, paper))
    pdf = pdf_of(printed, paper)
    written = {name: output.with_suffix(f".{name}.json") for name in beside or {}}
    for name, path in written.items():
        save((beside or {})[name], path)
    write_whole(output, pdf)
    if as_json:
        facts = {"pdf": str(output), "pages": pages, "drawings": _told(printed.drawings)}
        print(json.dumps(facts | {name: str(path) for name, path in written.items()}, ensure_ascii=False))
        return
    lines = [f"{output}: {pages} page{'s' if pages > 1 else ''}", *printed.says]
    lines += [f"{path}: describes it" for path in written.values()]
    print("\n".join([*lines, "Print at 100 %; then both rulers on each page must measure 100 mm."]))


def _told(drawings: "Sequence[Drawing]") -> list[dict[str, object]]:
    return [{"says": one.says, "width_mm": one.width_mm, "height_mm": one.height_mm} for one in drawings]


def _largest(columns: int, rows: int, paper: PaperName, *, field: str) -> float:
    """The largest whole millimetre that lets so many fit on one page. Raises: BadInput."""
    side = max(int(min(one.field_mm[0] / columns, one.field_mm[1] / rows)) for one in ways_up(paper))
    if side < 2:
        raise BadInput(f"{field}: so many do not fit on {paper.value}", field=field, value=columns)
    return float(side)


def _ids(text: str) -> list[int]:
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


def _numbers(text: str, field: str, *, least: float, most: float) -> list[float]:
    """Numbers parted by commas. Raises: BadInput."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise BadInput(f"{field}: numbers parted by commas, not {text!r}", field=field, value=text) from None
    if not all(least <= number <= most for number in numbers):
        raise BadInput(f"{field}: each between {least:g} and {most:g}", field=field, value=text)
    return numbers
