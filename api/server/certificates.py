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

from fastapi import FastAPI
from starlette.responses import Response

from api.http.security_headers import content_policy
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
    names = sorted({name for name in (*addresses, *_own_names(), "127.0.0.1") if _may_vouch(name)})
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
        *(x509.DNSName(host) for host in ("local", *_own_names())),
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in _NETWORKS),
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
    return tuple(dict.fromkeys(name for name in ("localhost", machine, machine.partition(".")[0]) if name))


def _may_vouch(name: str) -> bool:
    """Whether phones believe the authority about this address or name."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.lower().endswith(".local") or name.lower() in _own_names()
    return any(address in ipaddress.ip_network(network) for network in _NETWORKS)


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tableside: trust this computer</title>
<style>
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 40rem; padding: 1rem; }
  a.button { display: inline-block; padding: 0.8rem 1.2rem; border: 2px solid; border-radius: 0.6rem; }
</style>
<main>
<h1>Trust this computer</h1>
<p>A phone lends its camera only to a page that it trusts. Do this once on the phone that is the camera; everybody else
needs nothing of it.</p>
<p><a class="button" href="/trust/tableside.crt">Download the certificate</a></p>
<h2>iPhone, iPad</h2>
<ol>
<li>Download it with Safari and allow the profile.</li>
<li>Settings, <em>General</em>, <em>VPN &amp; Device Management</em>: tap the profile and <em>Install</em>.</li>
<li>Settings, <em>General</em>, <em>About</em>, <em>Certificate Trust Settings</em>: switch Tableside on.</li>
</ol>
<h2>Android</h2>
<ol>
<li>Download it.</li>
<li>Settings, <em>Security</em>, <em>Encryption and credentials</em>, <em>Install a certificate</em>, <em>CA
certificate</em>: choose the downloaded file. Makers name these a little differently; search the settings for
<em>certificate</em>.</li>
</ol>
<p>Then open the address that begins with <strong>https</strong> on this computer's screen. The certificate vouches for
this computer and for addresses of local networks, for nothing else. Remove it in the same place when you no longer play
here.</p>
</main>
</html>
"""


def add_trust_page(app: FastAPI, certificate: Path) -> None:
    """Serve `/trust`, and the authority's certificate that it offers."""

    @app.get("/trust", include_in_schema=False)
    def trust() -> Response:
        return Response(
            _PAGE, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": content_policy(_PAGE)}
        )

    @app.get("/trust/tableside.crt", include_in_schema=False)
    def download() -> Response:
        return Response(certificate.read_bytes(), media_type="application/x-x509-ca-cert")
