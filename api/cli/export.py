"""`tableside export`: a kept game as one file, or as pages that need no Tableside."""

import json
from pathlib import Path
from typing import Annotated

import typer

from models.errors import BadFile, BadInput


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("export")(export_game)


def export_game(
    game: Annotated[Path, typer.Argument(help="The folder that `--data` named, or a GAME.zip.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="GAME.zip; with --html the folder to write.")],
    html: Annotated[bool, typer.Option("--html", help="Write pages that any web server or browser shows.")] = False,
    without_names: Annotated[
        bool, typer.Option("--without-names", help="Replace people's names, in a chain of its own.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Hand a kept game on: journal, evidence and a picture of each table at rest."""
    from api.games.archive import open_game, write_archive
    from api.games.export import game_files
    from api.games.static_pages import write_pages
    from api.server.journal_entries import ENTRY_CLASSES

    if not game.exists():
        raise BadFile(f"{game}: there is no such file or folder", field="game", value=str(game))
    if html and output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise BadInput(f"{output} exists already, and is not empty", field="output", value=str(output))
    with open_game(game) as (ours, pictures):
        files = game_files(ours, pictures, is_nameless=without_names, entry_classes=ENTRY_CLASSES)
        if html:
            size = write_pages(output, files, title=game.stem, entry_classes=ENTRY_CLASSES)
        else:
            write_archive(output, files)
            size = output.stat().st_size
    summary = {"output": str(output), "bytes": size}
    typer.echo(json.dumps(summary) if as_json else f"{output}: {size / 1e6:.1f} MB")
    if not without_names and not html:
        typer.echo("It holds the table's codes: renew them before the same folder is played with again.", err=True)
