"""`tableside print`: true-size sheets as PDF, and beside them the file that describes what was printed."""

import typer

from api.cli.print.arc_marks import arc_marks
from api.cli.print.charuco import charuco
from api.cli.print.chessboard import chessboard
from api.cli.print.circles import circles
from api.cli.print.fiducials import fiducials
from api.cli.print.setup import setup
from api.cli.print.templates import templates

command = typer.Typer(help="Make true-size PDF sheets, each with rulers to check the print by.", no_args_is_help=True)
command.command("charuco")(charuco)
command.command("chessboard")(chessboard)
command.command("circles")(circles)
command.command("fiducials")(fiducials)
command.command("arc-marks")(arc_marks)
command.command("templates")(templates)
command.command("setup")(setup)


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.add_typer(command, name="print")
