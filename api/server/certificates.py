"""Certificates: an authority of this machine's own, made once, and what it vouches for.

A phone that trusts it must not thereby trust anybody with its key: it may vouch for addresses of local networks and for
this machine's names alone (RFC 5280, name constraints).
"""

import datetime
import ipaddress
import socket
import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from api.storage.files import read_bytes, write_whole
from models.errors import BadFile, BadInput

if TYPE_CHECKING:
    from trustme import CA

CERTIFICATE, _KEY = "authority.pem", "authority.key"
_NETWORKS = (
    "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7", "fe80::/10"
)  # fmt: skip
_YEARS_OF_AUTHORITY, _DAYS_OF_SERVER = 10, 397  # phones refuse what is valid for longer
_DAY = datetime.timedelta(days=1)


def secure_context(folder: Path, addresses: Iterable[str]) -> ssl.SSLContext:
    """What a server proves with that it is at these addresses. Raises: BadInput, BadFile."""
    authority = open_authority(folder)
    now = datetime.datetime.now(datetime.UTC)
    names = sorted({one for one in (*addresses, *_own_names(), "127.0.0.1") if _may_vouch(one)})
    leaf = authority.issue_cert(*names, not_before=now - _DAY, not_after=now + _DAYS_OF_SERVER * _DAY)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    leaf.configure_cert(context)
    return context


def open_authority(folder: Path) -> "CA":
    """The authority that is kept there, made when there is none. Raises: BadInput, BadFile."""
    try:
        from trustme import CA
    except ImportError:
        says = "--https needs a package that is not installed: pip install 'tableside[https]'"
        raise BadInput(says, field="https", value=True) from None
    certificate, key = folder / CERTIFICATE, folder / _KEY
    if not certificate.is_file() or not key.is_file():
        _make_authority(certificate, key)
    try:
        return CA.from_pem(read_bytes(certificate), read_bytes(key))
    except ValueError as wrong:
        says = f"{folder}: the authority cannot be read; remove the folder, and trust the new one on each phone"
        raise BadFile(says, field="authority", value=str(folder)) from wrong


def _make_authority(certificate: Path, key: Path) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"Tableside on {socket.gethostname()}"[:64])])
    now = datetime.datetime.now(datetime.UTC)
    limits = [
        *(x509.DNSName(one) for one in ("local", *_own_names())),
        *(x509.IPAddress(ipaddress.ip_network(one)) for one in _NETWORKS),
    ]
    usage = dict.fromkeys(
        ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only",
         "decipher_only", "digital_signature"), False,
    )  # fmt: skip
    made = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + 365 * _YEARS_OF_AUTHORITY * _DAY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=limits, excluded_subtrees=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(secret.public_key()), critical=False)
        .sign(secret, hashes.SHA256())
    )
    try:
        certificate.parent.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFile(f"{certificate.parent}: {wrong.strerror}", field="authority", value=str(certificate)) from wrong
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    write_whole(key, secret.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), is_private=True)
    write_whole(certificate, made.public_bytes(pem))


def _own_names() -> tuple[str, ...]:
    machine = socket.gethostname().lower()
    return tuple(dict.fromkeys(one for one in ("localhost", machine, machine.partition(".")[0]) if one))


def _may_vouch(name: str) -> bool:
    """Whether phones believe the authority about this address or name."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.lower().endswith(".local") or name.lower() in _own_names()
    return any(address in ipaddress.ip_network(one) for one in _NETWORKS)
