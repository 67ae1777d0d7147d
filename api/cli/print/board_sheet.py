"""Board sheet: a calibration board on as few pages as will do, and its description as OUT.board.json."""

from pathlib import Path

from api.cli.print.write_sheet import write_sheet
from api.printing.paper import PaperName, orientations
from models.board import BoardFile, CharucoBoard, ChessBoard, CircleBoard
from models.errors import BadInput


def print_board(
    board: CharucoBoard | ChessBoard | CircleBoard, output: Path, paper: PaperName, *, as_json: bool
) -> None:
    """Write the sheet of this board and its description."""
    from api.printing.boards import draw_board
    from api.printing.pdf_document import PrintJob

    drawing = draw_board(board)
    flat = "Glue it to something flat and stiff, such as glass: a bent board bends what is measured."
    if not any(way.has_room_for(drawing.width_mm, drawing.height_mm) for way in orientations(paper)):
        flat = "Joined pages are never quite flat and true: for calibration choose larger paper or smaller squares."
    job = PrintJob("calibration board", (drawing.says + ".", flat), [drawing])
    write_sheet(job, output, paper, beside={"board": BoardFile(board=board)}, as_json=as_json)


def largest_square_mm(columns: int, rows: int, paper: PaperName, *, field: str) -> float:
    """The largest whole millimetre that lets so many fit on one page. Raises: BadInput."""
    side = max(int(min(one.field_mm[0] / columns, one.field_mm[1] / rows)) for one in orientations(paper))
    if side < 2:
        raise BadInput(f"{field}: so many do not fit on {paper.value}", field=field, value=columns)
    return float(side)
