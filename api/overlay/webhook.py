"""Webhook: an address that is sent each cue as signed JSON."""

import asyncio
import hmac
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus

from api.overlay.cues import Cue, NotDelivered

PATIENCE_S = 5.0
SIGNATURE = "Tableside-Signature"


class Webhook:
    """Posts cues to `url`; with a `secret` each is signed, so that the receiver knows whose it is and how old."""

    name = "webhook"

    def __init__(self, url: str, secret: str | None, *, clock: Callable[[], float] = time.time) -> None:
        self._url = url
        self._secret = secret
        self._clock = clock

    async def deliver(self, cue: Cue) -> None:
        await asyncio.to_thread(self._post, cue)

    def _post(self, cue: Cue) -> None:
        body = cue.model_dump_json().encode()
        headers = {"Content-Type": "application/json", "Tableside-Event": cue.event}
        if self._secret is not None:
            headers[SIGNATURE] = sign(body, self._secret, at_s=int(self._clock()))
        asked = urllib.request.Request(self._url, body, headers, method="POST")
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S):
                pass
        except urllib.error.HTTPError as wrong:
            wrong.close()
            if wrong.code < HTTPStatus.INTERNAL_SERVER_ERROR and wrong.code != HTTPStatus.TOO_MANY_REQUESTS:
                raise ValueError(f"answered {wrong.code}") from wrong
            raise NotDelivered(f"answered {wrong.code}") from wrong
        except OSError as wrong:
            raise NotDelivered(str(wrong)) from wrong


def sign(body: bytes, secret: str, *, at_s: int) -> str:
    """When it was sent, and the HMAC-SHA256 of that and the body: `t=1764290000,v1=9f86...`."""
    return f"t={at_s},v1={hmac.new(secret.encode(), f'{at_s}.'.encode() + body, 'sha256').hexdigest()}"
