"""Time stamps of an authority outside: asked for, kept, checked; here openssl is the authority."""

import base64
import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from api.clocks.entries import ClocksSet
from api.games.verification import verify_game
from api.journal import timestamp
from api.journal.file_journal import NAME, FileJournal
from api.journal.signature import ChainSigner
from api.journal.timestamp import HeadStamped, request_stamp, timestamp_query
from api.server.journal_entries import ENTRY_CLASSES
from models.errors import BadInput

EXTENSIONS = "extendedKeyUsage = critical,timeStamping\n"
CONFIGURATION = """
[tsa]
default_tsa = own
[own]
serial = {folder}/serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
"""


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class StampingAuthority(BaseHTTPRequestHandler):
    """Answers queries as RFC 3161 says."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        self._folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_POST(self) -> None:
        query, reply = self._folder / "query", self._folder / "reply"
        query.write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
        signer = ("-signer", self._folder / "tsa.pem", "-inkey", self._folder / "tsa.key")
        openssl("ts", "-reply", "-config", self._folder / "conf", "-queryfile", query, *signer, "-out", reply)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(reply.read_bytes())

    def log_message(self, *_: object) -> None:
        """Nothing is written anywhere."""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the certificate of an authority, and of another."""
    folder = tmp_path_factory.mktemp("authority")
    (folder / "conf").write_text(CONFIGURATION.format(folder=folder))
    (folder / "extensions").write_text(EXTENSIONS)
    (folder / "serial").write_text("01\n")
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    for name in ("root", "other"):
        made = ("-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem")
        openssl("req", "-x509", *key, *made, "-subj", f"/CN={name}", "-days", 9)
    openssl("req", *key, "-keyout", folder / "tsa.key", "-out", folder / "tsa.csr", "-subj", "/CN=stamps")
    signed = ("-CA", folder / "root.pem", "-CAkey", folder / "root.key", "-CAcreateserial", "-days", 9)
    made = ("-extfile", folder / "extensions", "-out", folder / "tsa.pem")
    openssl("x509", "-req", "-in", folder / "tsa.csr", *signed, *made)
    return folder


def read_lines(game: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (game / NAME).read_bytes().splitlines()]


@contextmanager
def serve_stamps(handler: object) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), handler)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def game(tmp_path: Path, authority: Path) -> Path:
    """A game whose head the authority has stamped."""
    with closing(FileJournal(tmp_path / "final", ENTRY_CLASSES)) as journal:
        signer = ChainSigner(journal)
        journal.write(ClocksSet(by="judge", total_s=3600))
        signer.sign()
        with serve_stamps(partial(StampingAuthority, authority)) as url:
            journal.write(request_stamp(url, str(journal.head_at(2))))
    return tmp_path / "final"


def test_a_stamp_is_told_of_once_its_signature_is_checked(game: Path, authority: Path) -> None:
    unchecked = verify_game(game)
    checked = verify_game(game, authority=authority / "root.pem")

    assert "a time stamp of line 2 that --authority CERT.pem checks" in unchecked.sentence
    assert checked.fault is None
    assert "stamped to line 2 at" in checked.sentence


def test_a_file_that_is_no_certificate_is_named(game: Path) -> None:
    with pytest.raises(BadInput, match="holds no certificate as PEM") as wrong:
        verify_game(game, authority=game / "journal.jsonl")

    assert wrong.value.field == "authority"


def test_without_the_extra_a_stamp_is_told_of_and_checked_by_nobody(
    game: Path, authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timestamp, "can_stamp", lambda: False)

    assert "a time stamp of line 2 that nothing here reads" in verify_game(game).sentence
    with pytest.raises(BadInput, match="extra: pip install"):
        verify_game(game, authority=authority / "root.pem")


def test_an_answer_to_an_earlier_question_is_no_stamp(game: Path) -> None:
    """The nonce: whoever listens could send it again, and its time would be of then."""
    kept = next(line for line in read_lines(game) if line["entry"]["type"] == "head-stamped")["entry"]

    class Replay(StampingAuthority):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(base64.b64decode(kept["response"]))

    with serve_stamps(partial(Replay, game)) as url, pytest.raises(BadInput, match="no time stamp of this head"):
        request_stamp(url, kept["head"])


def test_the_stamp_of_another_authority_is_none(game: Path, authority: Path) -> None:
    report = verify_game(game, authority=authority / "other.pem")

    assert report.fault is not None
    assert (report.fault.line, report.fault.field) == (4, "timestamp")


@pytest.mark.parametrize("head", ["2:" + "0" * 64, "3"])
def test_a_stamp_of_another_head_is_named_by_its_line(game: Path, authority: Path, head: str) -> None:
    with (
        closing(FileJournal(game, ENTRY_CLASSES)) as journal,
        serve_stamps(partial(StampingAuthority, authority)) as url,
    ):
        stamp = request_stamp(url, head)
        journal.write(stamp)
        journal.write(HeadStamped(head=str(journal.head_at(3)), authority=url, response=stamp.response))
    report = verify_game(game)

    assert report.fault is not None
    assert (report.fault.line, report.fault.field) == (5, "timestamp")


class Nonsense(StampingAuthority):
    """Answers whatever it is asked with a page."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>" * 100)


def test_what_is_no_stamp_is_not_kept(authority: Path) -> None:
    with serve_stamps(partial(Nonsense, authority)) as url, pytest.raises(BadInput, match="no time stamp"):
        request_stamp(url, "2:ab")


def test_an_authority_that_cannot_be_reached_is_told() -> None:
    with pytest.raises(BadInput, match="no time stamp came"):
        request_stamp("http://127.0.0.1:9/", "2:ab")


def test_nothing_of_the_game_is_sent_but_a_digest() -> None:
    short, long = (timestamp_query(head).as_bytes() for head in ("2:ab", "2:" + "ab" * 32))

    assert b"2:ab" not in short
    assert abs(len(short) - len(long)) <= 1  # a nonce may begin with a zero
