"""`tableside verify`, `replay`, `export`: what is done with a kept game. Nothing of them changes it."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from api.cli.hosting_options import Host, Port, listen_on
from api.cli.invocation import wants_json
from api.errors import BrokenJournal
from api.evidence.store import EvidenceReport, check_evidence
from api.journal.chain import ChainReport, read_chain
from api.journal.file_journal import NAME
from models.errors import BadFile, BadInput

GamePath = Annotated[
    Path, typer.Argument(help="The folder that `--data` named, or a GAME.zip from `tableside export`.")
]
Head = Annotated[
    str | None,
    typer.Option(help="N:HASH from a record or a result slip: notices a journal that was shortened."),
]
WithoutNames = Annotated[bool, typer.Option("--without-names", help="Replace people's names, in a chain of its own.")]


def verify_game(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The folder that `--data` named, or its journal.jsonl.")],
    head: Head = None,
) -> None:
    """Say whether a kept game is whole and unchanged, or where it breaks."""
    path = folder if folder.is_file() else folder / "journal.jsonl"
    try:
        report, evidence = read_chain(path), check_evidence(path)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="folder", value=str(folder)) from wrong
    typer.echo(json.dumps(_facts(report, evidence)) if wants_json(context) else _describe(report, evidence))
    if report.why is not None:
        raise BrokenJournal(f"{path}: line {report.line}: {report.why}", field="line", value=report.line)
    if evidence.missing or evidence.altered:
        name, line = (*evidence.altered, *evidence.missing)[0]
        fault = "was altered" if evidence.altered else "is missing"
        says = f"{path}: evidence {name} of line {line} {fault}"
        raise BrokenJournal(says, field="evidence", value=name, line=line)
    if head is not None and head.strip().lower() not in report.heads:
        says = f"{path}: no line has the hash {head!r}: it was shortened, or it is another game"
        raise BrokenJournal(says, field="head", value=head)


def replay_game(context: typer.Context, game: GamePath, host: Host = "0.0.0.0", port: Port = 8017) -> None:
    """Serve the player's page over a kept game: scrub, play, ask any question of any moment. Nothing is changed."""
    _require_game(game)
    from api.server.hosting import serve_replay  # here, so that no other command waits for the web server

    serve_replay(game, listen_on(context, host, port))


def export_game(
    context: typer.Context,
    game: GamePath,
    output: Annotated[Path, typer.Option("-o", "--output", help="GAME.zip; with --html the folder to write.")],
    html: Annotated[bool, typer.Option("--html", help="Write pages that any web server or browser shows.")] = False,
    without_names: WithoutNames = False,
) -> None:
    """Hand a kept game on: journal, evidence and a picture of each table at rest."""
    from api.games.archive import open_game, write_archive
    from api.games.export import game_files, holds_codes
    from api.games.static_pages import write_pages
    from api.server.journal_entries import ENTRY_CLASSES

    _require_game(game)
    if html and output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise BadInput(f"{output} exists already, and is not empty", field="output", value=str(output))
    with open_game(game) as (ours, pictures):
        is_cleaned = not without_names and holds_codes(ours / NAME)
        files = game_files(ours, pictures, is_nameless=without_names, entry_classes=ENTRY_CLASSES)
        if html:
            size = write_pages(output, files, title=game.stem, entry_classes=ENTRY_CLASSES)
        else:
            write_archive(output, files)
            size = output.stat().st_size
    summary = {"output": str(output), "bytes": size}
    typer.echo(json.dumps(summary) if wants_json(context) else f"{output}: {size / 1e6:.1f} MB")
    if is_cleaned and not html:
        typer.echo(
            "An older version wrote the seats' codes into this game. They are left out and the lines chained anew: "
            "heads on records and slips are those of the folder.",
            err=True,
        )


def _require_game(game: Path) -> None:
    """Raises: BadFile."""
    if not game.exists():
        raise BadFile(f"{game}: no such file or folder", field="game", value=str(game))


def _facts(report: ChainReport, evidence: EvidenceReport) -> dict[str, object]:
    facts = {name: value for name, value in asdict(report).items() if name != "heads"}
    return facts | {"evidence": asdict(evidence), "head": None if report.head is None else str(report.head)}


def _describe(report: ChainReport, evidence: EvidenceReport) -> str:
    lines = [f"Whole and unchanged to line {report.lines}." if report.lines else "No line is whole."]
    if report.unchained_until:
        chained = "the chain begins after it and covers them" if report.head else "they carry no proof yet"
        lines.append(f"Unchained up to line {report.unchained_until}: an older version wrote it; {chained}.")
    if report.head is not None:
        lines.append(f"Head: {report.head}")
    if evidence.named:
        whole = evidence.named - len(evidence.missing) - len(evidence.altered)
        lines.append(f"Evidence: {whole} of {evidence.named} files are there and unaltered.")
    lines += [f"Altered: {name}, of line {n}" for name, n in evidence.altered]
    lines += [f"Missing: {name}, of line {n}" for name, n in evidence.missing]
    return "\n".join(lines)
