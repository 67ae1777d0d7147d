"""`tableside verify`: is a kept game whole, and what was written?"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from api.errors import BrokenJournal
from api.evidence.verification import EvidenceReport, check_evidence
from api.journal.chain import ChainReport, read_chain
from models.errors import BadFile


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("verify")(verify_game)


def verify_game(
    folder: Annotated[Path, typer.Argument(help="The folder that `--data` named, or its journal.jsonl.")],
    head: Annotated[
        str | None, typer.Option(help="N:HASH from a record or a result slip: notices a journal that was shortened.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Say whether a kept game is whole and unchanged, or where it breaks."""
    path = _journal_in(folder)
    try:
        report, evidence = read_chain(path), check_evidence(path)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="folder", value=str(folder)) from wrong
    typer.echo(json.dumps(_as_json(report, evidence)) if as_json else _describe(report, evidence))
    if report.why is not None:
        raise BrokenJournal(f"{path}: line {report.line}: {report.why}", field="line", value=report.line)
    if evidence.missing or evidence.altered:
        name, line = (*evidence.altered, *evidence.missing)[0]
        wrong_is = "was altered" if evidence.altered else "is missing"
        says = f"{path}: evidence {name} of line {line} {wrong_is}"
        raise BrokenJournal(says, field="evidence", value=name, line=line)
    if head is not None and head.strip().lower() not in report.heads:
        says = f"{path}: no line has the hash {head!r}: it was shortened, or it is another game"
        raise BrokenJournal(says, field="head", value=head)


def _journal_in(folder: Path) -> Path:
    return folder if folder.is_file() else folder / "journal.jsonl"


def _as_json(report: ChainReport, evidence: EvidenceReport) -> dict[str, object]:
    told = {name: value for name, value in asdict(report).items() if name != "heads"}
    return told | {"evidence": asdict(evidence), "head": None if report.head is None else str(report.head)}


def _describe(report: ChainReport, evidence: EvidenceReport) -> str:
    said = [f"Whole and unchanged to line {report.lines}." if report.lines else "No line is whole."]
    if report.unchained_until:
        chained = "the chain begins after it and covers them" if report.head else "they carry no proof yet"
        said.append(f"Unchained up to line {report.unchained_until}: an older version wrote it; {chained}.")
    if report.head is not None:
        said.append(f"Head: {report.head}")
    if evidence.named:
        whole = evidence.named - len(evidence.missing) - len(evidence.altered)
        said.append(f"Evidence: {whole} of {evidence.named} files are there and unaltered.")
    said += [f"Altered: {name}, of line {n}" for name, n in evidence.altered]
    said += [f"Missing: {name}, of line {n}" for name, n in evidence.missing]
    return "\n".join(said)
