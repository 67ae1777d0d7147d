"""Trust page: how a phone comes to trust this machine's own certificate authority, and the certificate to download.

A browser gives a page the camera only where the page came by HTTPS from somebody it trusts.
"""

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import Response

from api.http.security_headers import content_policy

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
