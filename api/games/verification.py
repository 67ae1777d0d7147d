"""Game verification: whether a kept game is what the table wrote, in one sentence, the bad news first.

It looks at the chain, at what the table's key signed, at every piece of evidence, and of an exported game at the list
of its files. A folder remembers, apart from the journal, which line it signed last: a cut is noticed without a slip.
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from api.errors import BrokenJournal
from api.evidence.store import EvidenceReport, check_evidence
from api.games.archive import extract
from api.journal.chain import ChainReport, canonical_json, read_chain
from api.journal.countersignature import Countersignature, HeadWitness, WitnessReport, check_countersignatures
from api.journal.file_journal import NAME
from api.journal.secret_store import SecretStore
from api.journal.signature import (
    KEY,
    SIGNED_HEAD,
    SignatureReport,
    can_sign,
    check_signatures,
    is_signed,
    key_words,
    public_key,
    sign_text,
)
from api.journal.timestamp import EXTRA as STAMP_EXTRA
from api.journal.timestamp import StampReport, check_stamps
from models.errors import BadFile

ABOUT = "game.json"


@dataclass(frozen=True)
class GameFault:
    """What is wrong first: its field and value as an error names them."""

    says: str
    field: str
    value: Any
    line: int | None = None


@dataclass(frozen=True)
class GameReport:
    """What was found of a kept game; `fault` is None where it is as the table wrote it."""

    chain: ChainReport
    signatures: SignatureReport
    evidence: EvidenceReport
    fault: GameFault | None
    is_copy: bool = False
    witness: HeadWitness | Countersignature | None = None
    countersigned: WitnessReport = field(default_factory=WitnessReport)
    stamped: StampReport = field(default_factory=StampReport)
    is_head_given: bool = False
    """By a slip: it is a line of this game."""

    @property
    def is_proved(self) -> bool:
        """Whether anybody's signature, or what somebody kept apart from it, stands behind a whole game."""
        outside = self.is_head_given or self.witness is not None or self.stamped.is_checked
        return self.fault is None and (self.signatures.head is not None or outside)

    @property
    def sentence(self) -> str:
        """One sentence; what is bad stands first."""
        if self.fault is not None:
            whole = f" Whole and unchanged to line {self.chain.lines}." if self.chain.line is not None else ""
            return f"NOT as it was written: {self.fault.says}.{whole}"
        whole = f"Whole and unchanged to line {self.chain.lines}"
        if self.signatures.key is not None and self.signatures.head is not None and self.signatures.at_s is not None:
            until = datetime.fromtimestamp(self.signatures.at_s).astimezone()
            return (
                f"{whole}, signed to line {self.signatures.head.n} by {key_words(self.signatures.key)} "
                f"until {until:%d %B %Y, %H:%M:%S %Z}{self._witnessed()}."
            )
        if self.is_proved:
            return f"{whole}{self._witnessed()}, signed by nobody: what you gave proves it up to there."
        unsigned = "a copy that proves nothing of the game it is of" if self.is_copy else "signed by nobody"
        return f"{whole}{self._witnessed()}, but {unsigned}: whoever has it could have made it anew."

    def _witnessed(self) -> str:
        """By whom else, and how far: what stands in the journal, then what somebody kept apart from it."""
        kept = "".join(
            f", countersigned to line {witness.head.partition(':')[0]} by {witness.by} {witness.key_words}"
            for witness in self.countersigned.witnesses
        )
        kept += self._stamped()
        if self.witness is None:
            return kept
        line, key = self.witness.head.partition(":")[0], key_words(self.witness.key)
        if isinstance(self.witness, Countersignature):
            return f"{kept}, and to line {line} seen by phone {key}"
        seen = datetime.fromtimestamp(self.witness.seen_s).astimezone()
        return f"{kept}, and to line {line} seen by hub {key} at {seen:%d %B %Y, %H:%M:%S %Z}"

    def _stamped(self) -> str:
        """The newest time stamp; of one whose signature was not checked no time is told."""
        if self.stamped.head is None:
            return ""
        line = self.stamped.head.partition(":")[0]
        if self.stamped.at_s is None:
            return f", with a time stamp of line {line} that nothing here reads ({STAMP_EXTRA})"
        if not self.stamped.is_checked:
            return f", with a time stamp of line {line} that --authority CERT.pem checks"
        at = datetime.fromtimestamp(self.stamped.at_s).astimezone()
        return f", stamped to line {line} at {at:%d %B %Y, %H:%M:%S %Z} by {self.stamped.authority}"

    def raise_fault(self, path: Path) -> None:
        """Raises: BrokenJournal."""
        if self.fault is not None:
            facts = {} if self.fault.line is None else {"line": self.fault.line}
            facts = {} if self.fault.field == "line" else facts
            raise BrokenJournal(f"{path}: {self.fault.says}", field=self.fault.field, value=self.fault.value, **facts)

    def facts(self) -> dict[str, object]:
        """All that was found, for programs."""
        facts = {name: value for name, value in asdict(self.chain).items() if name != "heads"}
        head = None if self.chain.head is None else str(self.chain.head)
        signed = self.signatures
        key = {} if signed.key is None else {"key": signed.key, "key_words": key_words(signed.key)}
        signed_head = None if signed.head is None else str(signed.head)
        others = [asdict(witness) | {"key_words": witness.key_words} for witness in self.countersigned.witnesses]
        about = {"signed": signed_head, "countersigned": others, "evidence": asdict(self.evidence), "head": head}
        return facts | key | about | {"is_proved": self.is_proved, "says": self.sentence}


def verify_game(
    path: Path,
    *,
    head: str | None = None,
    key: str | None = None,
    witness: HeadWitness | Countersignature | None = None,
    authority: Path | None = None,
) -> GameReport:
    """Look at all of a game: a folder, its journal, or a zip. Raises: BadFile, BadGame.

    `head` is number and hash from a slip, `key` the key of the table, a phone or a hub, or its words, `witness` what
    a hub or a phone countersigned and somebody kept, `authority` the certificate that time stamps go back to.
    """
    report = _verify_path(path, head=head, key=key, authority=authority)
    fault = report.fault or (None if witness is None else _witness_fault(witness, report.chain))
    return replace(report, fault=fault, witness=witness if fault is None else None)


def _verify_path(path: Path, *, head: str | None, key: str | None, authority: Path | None) -> GameReport:
    try:
        if path.is_file() and path.name != NAME and path.suffix != ".jsonl":
            with TemporaryDirectory(prefix="tableside-verify-") as folder:
                extract(path, Path(folder) / "game")
                return _verify_journal(Path(folder) / "game" / NAME, head=head, key=key, authority=authority)
        return _verify_journal(path if path.is_file() else path / NAME, head=head, key=key, authority=authority)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="folder", value=str(path)) from wrong


def verify_lines(journal: Path) -> GameReport:
    """Chain and signatures alone, in a moment: what a table looks at as it starts. Raises: BadFile, OSError."""
    return _verify_journal(journal, with_files=False)


def _verify_journal(
    journal: Path,
    *,
    head: str | None = None,
    key: str | None = None,
    authority: Path | None = None,
    with_files: bool = True,
) -> GameReport:
    chain = read_chain(journal)
    about = _read_about(journal.parent / ABOUT)
    evidence = check_evidence(journal) if with_files else EvidenceReport(0, (), ())
    is_copy = bool(about.get("is_nameless") or about.get("is_cleaned"))
    signatures = SignatureReport() if is_copy else check_signatures(journal, chain.heads)
    countersigned = WitnessReport() if is_copy else check_countersignatures(journal, chain.heads)
    stamped = StampReport() if is_copy else check_stamps(journal, chain.heads, authority)
    fault = (
        _chain_fault(chain)
        or _signature_fault(signatures, chain, SecretStore(journal.parent))
        or _line_fault(countersigned.line, countersigned.why, "countersignature")
        or _line_fault(stamped.line, stamped.why, "timestamp")
        or _key_fault(signatures, countersigned, key)
        or _evidence_fault(evidence)
        or (_about_fault(about, chain, signatures, journal.parent) if about and with_files else None)
        or _head_fault(chain, head)
    )
    return GameReport(
        chain,
        signatures,
        evidence,
        fault,
        is_copy,
        countersigned=countersigned,
        stamped=stamped,
        is_head_given=head is not None,
    )


def _chain_fault(chain: ChainReport) -> GameFault | None:
    return None if chain.why is None else GameFault(f"line {chain.line}: {chain.why}", "line", chain.line)


def _signature_fault(signed: SignatureReport, chain: ChainReport, secrets: SecretStore) -> GameFault | None:
    if signed.why is not None:
        return GameFault(f"line {signed.line}: {signed.why}", "signature", signed.line, signed.line)
    kept, newest = secrets.get(KEY), secrets.get(SIGNED_HEAD)
    if newest is not None and newest not in chain.heads:
        return GameFault(f"cut or made anew: the table signed {newest}, which is no line of it", "head", newest)
    if kept is not None and can_sign() and signed.key != public_key(kept):
        return GameFault("it is not signed by the key of this folder's table", "key", signed.key)
    return None


def _line_fault(line: int | None, why: str | None, field: str) -> GameFault | None:
    return None if why is None else GameFault(f"line {line}: {why}", field, line, line)


def _key_fault(signed: SignatureReport, countersigned: WitnessReport, key: str | None) -> GameFault | None:
    """What somebody's key must have signed, and has not: the table's, a phone's or a hub's."""
    keys = [*([] if signed.key is None else [signed.key]), *(witness.key for witness in countersigned.witnesses)]
    if key is None or any(key.strip().lower() in (known, key_words(known)) for known in keys):
        return None
    by = "nobody" if not keys else " and ".join(map(key_words, keys))
    return GameFault(f"it is signed by {by}, not by {key}", "key", key)


def _evidence_fault(evidence: EvidenceReport) -> GameFault | None:
    if not (evidence.missing or evidence.altered):
        return None
    name, line = (*evidence.altered, *evidence.missing)[0]
    return GameFault(
        f"evidence {name} of line {line} {'was altered' if evidence.altered else 'is missing'}", "evidence", name, line
    )


def _head_fault(chain: ChainReport, head: str | None) -> GameFault | None:
    if head is None or head.strip().lower() in chain.heads:
        return None
    return GameFault(f"no line has the hash {head!r}: it was shortened, or it is another game", "head", head)


def _witness_fault(witness: HeadWitness | Countersignature, chain: ChainReport) -> GameFault | None:
    if not can_sign() or not witness.is_signed():
        return GameFault("the witness is not signed by the hub or phone that it names", "witness", witness.key)
    if witness.head in chain.heads:
        return None
    if isinstance(witness, Countersignature):
        return GameFault(f"cut or made anew: a phone saw {witness.head} of it", "witness", witness.head)
    seen = datetime.fromtimestamp(witness.seen_s).astimezone()
    detail = f"cut or made anew: a hub had {witness.head} of it at {seen:%d %B %Y, %H:%M:%S %Z}"
    return GameFault(detail, "witness", witness.head)


def _about_fault(about: dict[str, Any], chain: ChainReport, signed: SignatureReport, folder: Path) -> GameFault | None:
    """What does not fit the list of files that an export wrote and signed."""
    if signed.key is not None and can_sign() and "signature" in about:
        unsigned = {name: value for name, value in about.items() if name != "signature"}
        if not is_signed(signed.key, canonical_json(unsigned).decode(), str(about["signature"])):
            return GameFault(f"{ABOUT} was changed: its signature is none of the table's key", "game", ABOUT)
    newest = None if chain.head is None else str(chain.head)
    if about.get("newest") is not None and about["newest"] != newest:
        return GameFault(f"cut: it was handed on with the head {about['newest']}", "head", about["newest"])
    listed = about.get("files")
    for name, digest in listed.items() if isinstance(listed, dict) else ():
        file = folder / str(name)
        if not file.is_file():
            return GameFault(f"{name} is missing", "game", name)
        if sha256(file.read_bytes()).hexdigest() != digest:
            return GameFault(f"{name} was swapped or changed", "game", name)
    return None


def _read_about(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        about = json.loads(path.read_bytes()[:50_000_000])
        return about if isinstance(about, dict) else {}
    return {}


def sign_about(about: dict[str, Any], secret: str | None) -> bytes:
    """What an export says of itself, signed where the folder's key is at hand."""
    if secret is not None and can_sign():
        about = about | {"signature": sign_text(secret, canonical_json(about).decode())}
    return json.dumps(about, indent=1).encode()
