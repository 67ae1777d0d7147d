"""`tableside verify`, `replay`, `export`: what is done with a kept game. Nothing of them changes it."""

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.hosting_options import Host, Port, listen_on
from api.cli.invocation import wants_json
from api.journal.file_journal import NAME
from models.errors import BadFile, BadInput

if TYPE_CHECKING:
    from api.games.verification import GameReport

GamePath = Annotated[
    Path, typer.Argument(help="The folder that `--data` named, or a GAME.zip from `tableside export`.")
]
Head = Annotated[
    str | None,
    typer.Option(help="N:HASH from a record or a result slip: notices a journal that was shortened."),
]
Key = Annotated[
    str | None,
    typer.Option(help="Key of the table, a phone or a hub, or its four words, as pages show it: it must have signed."),
]
Witness = Annotated[
    Path | None,
    typer.Option(help="What a hub or a phone countersigned, kept as a file: /api/v1/hall/tables/N/witness, seen.json."),
]
Authority = Annotated[
    Path | None,
    typer.Option(help="Certificate, as PEM, that its time stamps must go back to."),
]
WithoutNames = Annotated[bool, typer.Option("--without-names", help="Replace people's names, in a chain of its own.")]


def verify_game(
    context: typer.Context,
    game: Annotated[Path, typer.Argument(help="The folder that `--data` named, its journal.jsonl, or a GAME.zip.")],
    head: Head = None,
    key: Key = None,
    witness: Witness = None,
    authority: Authority = None,
) -> None:
    """Say whether a kept game is what the table wrote and signed, or where it is not.

    Exit 0 = whole, and the sentence says who proves it, if anybody; 1 = changed since; 2 = nothing that can be read.
    """
    from api.games.verification import verify_game as verify  # here, so that no other command waits for it
    from api.journal.countersignature import read_witness

    seen = None if witness is None else read_witness(witness)
    report = verify(game, head=head, key=key, witness=seen, authority=authority)
    typer.echo(json.dumps(report.facts()) if wants_json(context) else _describe(report))
    report.raise_fault(game)


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
    from api.games.verification import verify_game as verify
    from api.server.journal_entries import ENTRY_CLASSES

    _require_game(game)
    if html and output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise BadInput(f"{output} exists already, and is not empty", field="output", value=str(output))
    with open_game(game) as (ours, pictures):
        is_cleaned = not without_names and holds_codes(ours / NAME)
        files = game_files(ours, pictures, is_nameless=without_names, entry_classes=ENTRY_CLASSES)
        if html:
            report = verify(game)
            forged = None if report.fault is None else report.sentence
            size = write_pages(output, files, title=game.stem, entry_classes=ENTRY_CLASSES, forged=forged)
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


def rotate_key(
    context: typer.Context, data: Annotated[Path, typer.Argument(help="The folder that `--data` named.")]
) -> None:
    """Sign this table's journal with a new key from now on; the old key signs the new one. The table is not served."""
    from api.games.verification import verify_lines
    from api.journal import signature
    from api.journal.file_journal import FileJournal
    from api.server.journal_entries import ENTRY_CLASSES

    if not (data / NAME).is_file():
        raise BadFile(f"{data}: no table was kept here", field="data", value=str(data))
    if not signature.can_sign():
        raise BadInput("nothing here can sign: pip install 'tableside[https]'", field="data", value=None)
    verify_lines(data / NAME).raise_fault(data)
    with closing(FileJournal(data, ENTRY_CLASSES)) as journal:
        before, key = signature.rotate_key(journal)
    spelling, old = signature.key_words(key), None if before is None else signature.key_words(before)
    facts = {"key": key, "key_words": spelling, "before": old}
    said = f"{spelling} signs from now on" + ("" if old is None else f"; {old} signed it")
    typer.echo(json.dumps(facts) if wants_json(context) else said)


def _require_game(game: Path) -> None:
    """Raises: BadFile."""
    if not game.exists():
        raise BadFile(f"{game}: no such file or folder", field="game", value=str(game))


def _describe(report: "GameReport") -> str:
    chain, evidence, lines = report.chain, report.evidence, [report.sentence]
    if chain.unchained_until:
        chained = "the chain begins after it and covers them" if chain.head else "they carry no proof yet"
        lines.append(f"Unchained up to line {chain.unchained_until}: an older version wrote it; {chained}.")
    if chain.head is not None:
        lines.append(f"Head: {chain.head}")
    if evidence.named:
        whole = evidence.named - len(evidence.missing) - len(evidence.altered)
        lines.append(f"Evidence: {whole} of {evidence.named} files are there and unaltered.")
    lines += [f"Altered: {name}, of line {n}" for name, n in evidence.altered]
    lines += [f"Missing: {name}, of line {n}" for name, n in evidence.missing]
    return "\n".join(lines)
