"""Countersignatures: what a phone and a hub saw of a journal catches one that was made anew, by whomever."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.testclient import TestClient

from api.clocks.entries import ClocksSet
from api.games.verification import verify_game
from api.hall.table_link import keep_witness
from api.journal.chain import chain_line
from api.journal.countersignature import (
    MOST_PHONES,
    Countersignature,
    HubSigned,
    PhoneSigned,
    announced_keys,
    witness_head,
    witnesses_of,
)
from api.journal.file_journal import NAME, FileJournal
from api.journal.signature import (
    EVERY_S,
    ChainSigner,
    HeadSigned,
    KeyMade,
    head_text,
    key_words,
    new_secret,
    public_key,
    sign_text,
)
from api.live.hub import Hub
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES

Phone = Callable[[dict[str, Any]], dict[str, Any]]


def ed25519_phone() -> Phone:
    return ed25519_phone_of(Ed25519PrivateKey.generate())


def ed25519_phone_of(secret: Ed25519PrivateKey) -> Phone:
    """A phone whose browser signs by Ed25519."""

    def sign(proof: dict[str, Any]) -> dict[str, Any]:
        key = secret.public_key().public_bytes_raw().hex()
        text = f"tableside seen {key} {proof['key']} {proof['head']}"
        signature = secret.sign(text.encode()).hex()
        return {"head": proof["head"], "table_key": proof["key"], "key": key, "signature": signature}

    return sign


def p256_phone() -> Phone:
    """A phone whose browser knows no Ed25519; what WebCrypto makes is r and s, one after the other."""
    secret = ec.generate_private_key(ec.SECP256R1())

    def sign(proof: dict[str, Any]) -> dict[str, Any]:
        key = secret.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()
        text = f"tableside seen {key} {proof['key']} {proof['head']}"
        r, s = utils.decode_dss_signature(secret.sign(text.encode(), ec.ECDSA(SHA256())))
        signature = (r.to_bytes(32) + s.to_bytes(32)).hex()
        return {
            "head": proof["head"], "table_key": proof["key"], "key": key, "algorithm": "ecdsa-p256",
            "signature": signature,
        }  # fmt: skip

    return sign


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[FileJournal]:
    with closing(FileJournal(tmp_path / "final", ENTRY_CLASSES)) as journal:
        signer = ChainSigner(journal)
        journal.write(ClocksSet(by="judge", total_s=3600))
        signer.sign()
        yield journal


@pytest.fixture
def client(journal: FileJournal) -> TestClient:
    return TestClient(create_app(Hub(title="final", journal=journal)))


def countersign(client: TestClient, phone: Phone) -> dict[str, Any]:
    answer = client.post("/api/v1/proof/countersignatures", json=phone(client.get("/api/v1/proof").json()))
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("phone", [ed25519_phone(), p256_phone()])
def test_a_phone_countersigns_what_the_table_signed(client: TestClient, tmp_path: Path, phone: Phone) -> None:
    spelling = countersign(client, phone)["key_words"]
    report = verify_game(tmp_path / "final", key=spelling)

    assert report.fault is None
    assert f"countersigned to line 2 by judge's phone {spelling}" in report.sentence
    assert [seen["key_words"] for seen in client.get("/api/v1/proof").json()["witnesses"]] == [spelling]


@pytest.mark.parametrize("phone", [ed25519_phone(), p256_phone()])
@pytest.mark.parametrize(
    "change",
    [
        {"signature": "ab" * 64},
        {"signature": "no"},
        {"key": "04" + "ab" * 64},
        {"key": "xyz"},
        {"head": "2:" + "0" * 64},
        {"head": "nothing"},
        {"table_key": "ab" * 32},
    ],
)
def test_what_no_phone_signed_is_refused(
    client: TestClient, journal: FileJournal, phone: Phone, change: dict[str, str]
) -> None:
    signed = phone(client.get("/api/v1/proof").json())
    refused = client.post("/api/v1/proof/countersignatures", json=signed | change)

    assert refused.status_code == 422
    assert journal.newest(PhoneSigned) is None


def test_a_phone_that_signs_twice_is_written_once_and_many_phones_are_refused(
    client: TestClient, journal: FileJournal
) -> None:
    first = ed25519_phone()
    for phone in (first, first, *(ed25519_phone() for _ in range(MOST_PHONES - 1))):
        countersign(client, phone)
    more = client.post("/api/v1/proof/countersignatures", json=ed25519_phone()(client.get("/api/v1/proof").json()))

    assert more.status_code == 403
    assert len(list(journal.lines(PhoneSigned))) == MOST_PHONES


def test_proofs_alone_are_not_signed_again(tmp_path: Path) -> None:
    """Else a table at rest would sign, and its phones countersign that, all night."""
    now_s = [0.0]
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        signer = ChainSigner(journal, clock=lambda: now_s[0])
        signer.sign()
        client = TestClient(create_app(Hub(title="final", journal=journal)))
        for _ in range(3):
            countersign(client, ed25519_phone())
            now_s[0] += 2 * EVERY_S
            signer.beat()
        heads = len(list(journal.lines(HeadSigned)))
        journal.write(ClocksSet(by="judge", total_s=3600))
        now_s[0] += 2 * EVERY_S
        signer.beat()

        assert heads == 1
        assert len(list(journal.lines(HeadSigned))) == 2


def remade(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Make the lines and all hashes anew, and sign them by another key of the table."""
    secret, before, lines = new_secret(), sha256().hexdigest(), list[bytes]()
    for line in map(json.loads, (folder / NAME).read_bytes().splitlines()):
        entry = change(line["entry"])
        if entry is not None and entry["type"] == "key-made":
            entry = KeyMade(key=public_key(secret)).model_dump()
        if entry is not None and entry["type"] == "head-signed":
            head = f"{len(lines)}:{before}"
            signature = sign_text(secret, head_text(public_key(secret), head))
            entry = HeadSigned(head=head, key=public_key(secret), signature=signature).model_dump()
        if entry is not None:
            text, before = chain_line(len(lines) + 1, line["at_s"], entry, before=before)
            lines.append(text + b"\n")
    (folder / NAME).write_bytes(b"".join(lines))
    (folder / "secrets.json").unlink()


def longer(entry: dict[str, Any]) -> dict[str, Any]:
    return entry | {"total_s": 9999.0} if entry["type"] == "clocks-set" else entry


def without_phones(entry: dict[str, Any]) -> dict[str, Any] | None:
    return None if entry["type"] == "phone-signed" else longer(entry)


def test_who_has_the_tables_machine_cannot_rewrite_what_a_phone_saw(client: TestClient, tmp_path: Path) -> None:
    """A new key of the table signs anything; the phone's signature, which it cannot make, is of another line."""
    countersign(client, ed25519_phone())
    remade(tmp_path / "final", longer)
    report = verify_game(tmp_path / "final")

    assert report.fault is not None
    assert "judge's phone saw 2:" in report.fault.says


def test_a_game_that_leaves_the_phones_out_is_caught_by_a_phones_key_and_by_what_it_kept(
    client: TestClient, tmp_path: Path
) -> None:
    phone = ed25519_phone()
    kept = Countersignature.model_validate(phone(client.get("/api/v1/proof").json()))
    spelling = countersign(client, phone)["key_words"]
    honest = verify_game(tmp_path / "final", witness=kept)
    remade(tmp_path / "final", without_phones)
    by_key = verify_game(tmp_path / "final", key=spelling)
    by_kept = verify_game(tmp_path / "final", witness=kept)

    assert honest.fault is None
    assert f"seen by phone {spelling}" in honest.sentence
    assert verify_game(tmp_path / "final").fault is None, "nothing else tells"
    assert by_key.fault is not None
    assert by_key.fault.field == "key"
    assert by_kept.fault is not None
    assert f"a phone saw {kept.head}" in by_kept.fault.says


def test_a_countersignature_that_was_changed_is_named_by_its_line(client: TestClient, tmp_path: Path) -> None:
    countersign(client, ed25519_phone())

    def change(entry: dict[str, Any]) -> dict[str, Any]:
        return entry | {"seen": entry["seen"] | {"key": "ab" * 32}} if entry["type"] == "phone-signed" else entry

    remade(tmp_path / "final", change)
    report = verify_game(tmp_path / "final")

    assert report.fault is not None
    assert (report.fault.line, report.fault.field) == (4, "countersignature")


def test_a_hub_countersigns_what_is_new_of_the_own_journal_alone(journal: FileJournal, tmp_path: Path) -> None:
    hub_secret = new_secret()

    def seen_at(head: str) -> bool:
        return keep_witness(journal, witness_head(hub_secret, event="spring", table=4, head=head, seen_s=1.8e9))

    is_strange_kept = seen_at("2:" + "0" * 64)
    is_first_kept = seen_at(str(journal.head_at(2)))
    is_nothing_new_kept = seen_at(str(journal.head_at(4)))
    journal.write(ClocksSet(by="judge", total_s=60))
    is_new_kept = seen_at(str(journal.head_at(5)))
    report = verify_game(tmp_path / "final", key=key_words(public_key(hub_secret)))

    assert (is_strange_kept, is_first_kept, is_nothing_new_kept, is_new_kept) == (False, True, False, True)
    assert report.fault is None
    assert "countersigned to line 5 by hub of spring" in report.sentence
    assert len(list(journal.lines(HubSigned))) == 2


def test_the_table_tells_its_keys_each_signed_by_the_one_before(client: TestClient, journal: FileJournal) -> None:
    signer = ChainSigner(journal)
    signer.rotate()
    signer.sign()
    proof = client.get("/api/v1/proof").json()

    assert [step["signature"] is None for step in proof["keys"]] == [True, False]
    assert proof["key"] == proof["keys"][-1]["key"] == announced_keys(journal)[-1].key
    assert witnesses_of(journal) == ()
