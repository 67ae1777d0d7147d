"""HTTPS beside HTTP: one authority a machine, which vouches for local addresses alone."""

import json
import ssl
import stat
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from cryptography import x509

from api.server.certificates import CERTIFICATE, open_authority, secure_context
from models.errors import BadFile
from tests.api.serving import read_addresses, start_program
from tests.api.worlds import skirmish


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What a table that also speaks HTTPS says of itself; its authority lies in the test's folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    state = tmp_path / "state.json"
    state.write_text(skirmish().model_dump_json())
    with start_program("serve", "--state", str(state), environment={"TABLESIDE_HTTPS": "true"}) as server:
        yield read_addresses(server)


def test_the_same_table_answers_over_https_to_who_trusts_the_authority(told: dict[str, Any], tmp_path: Path) -> None:
    trusting = ssl.create_default_context(cafile=str(tmp_path / "tableside" / "authority" / CERTIFICATE))
    with urllib.request.urlopen(f"{told['secure'][0]}api/v1/state", context=trusting, timeout=120) as answer:
        secure = json.load(answer)
    with urllib.request.urlopen(f"{told['urls'][0]}api/v1/state", timeout=120) as answer:
        plain = json.load(answer)

    assert told["secure"][0].startswith("https://127.0.0.1:")
    assert secure == plain


def test_who_does_not_trust_it_is_not_fooled(told: dict[str, Any]) -> None:
    with pytest.raises(URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(told["secure"][0], context=ssl.create_default_context(), timeout=120)


def test_the_trust_page_hands_out_the_certificate_and_never_the_key(told: dict[str, Any], tmp_path: Path) -> None:
    with urllib.request.urlopen(f"{told['urls'][0]}trust", timeout=120) as answer:
        page = answer.read().decode()
    with urllib.request.urlopen(f"{told['urls'][0]}trust/tableside.crt", timeout=120) as answer:
        certificate = answer.read()

    assert "/trust/tableside.crt" in page
    assert x509.load_pem_x509_certificate(certificate).subject
    assert b"PRIVATE" not in certificate


def test_an_authority_is_made_once_and_its_key_is_for_the_owner_alone(tmp_path: Path) -> None:
    made = open_authority(tmp_path).cert_pem.bytes()

    assert open_authority(tmp_path).cert_pem.bytes() == made
    assert stat.S_IMODE((tmp_path / "authority.key").stat().st_mode) == 0o600


def test_it_vouches_for_nobody_elsewhere(tmp_path: Path) -> None:
    secure_context(tmp_path, ["192.168.1.24", "example.org", "93.184.216.34"])
    authority = x509.load_pem_x509_certificate((tmp_path / CERTIFICATE).read_bytes())
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    allowed = [str(one.value) for one in limits.value.permitted_subtrees or ()]

    assert limits.critical
    assert "192.168.0.0/16" in allowed
    assert not {"0.0.0.0/0", "org", "example.org"} & set(allowed)


def test_a_damaged_authority_is_told_of(tmp_path: Path) -> None:
    open_authority(tmp_path)
    (tmp_path / "authority.key").write_text("no key")

    with pytest.raises(BadFile, match="remove the folder"):
        open_authority(tmp_path)
