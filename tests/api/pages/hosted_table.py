"""The pages of judge and producer at a real server: who may open them, and what lies on the screen."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.request import Request, urlopen

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from tests.api.serving import start_program


@dataclass(frozen=True)
class Hosted:
    """A server, and the addresses that lead to the seats at its table."""

    url: str
    join: dict[str, str]
    process: subprocess.Popen[str]

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The server's answer to the judge."""
        headers = _JSON | {"Authorization": f"Bearer {_token(self.url, self.join['judge'].rsplit('/', 1)[1])}"}
        told = None if body is None else _json(body)
        return _read_json(Request(f"{self.url}api/v1/{path}", told, headers, method=method))


@contextmanager
def host_table(*arguments: str, port: int = 0) -> Iterator[Hosted]:
    """The server that `tableside ARGUMENTS` starts, for as long as it is needed."""
    with start_program(*arguments, port=port) as server:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        yield Hosted(url=told["urls"][0], join=told["join"], process=server)


def opacity(page: Page) -> NDArray[np.uint8]:
    """The alpha channel of what the program lays over its video, once all that comes or goes has come or gone."""
    picture = cv2.imdecode(
        np.frombuffer(page.screenshot(omit_background=True, animations="disabled"), np.uint8), cv2.IMREAD_UNCHANGED
    )
    assert picture is not None
    return np.asarray(picture[..., 3], dtype=np.uint8)


def is_near(alpha: NDArray[np.uint8], place: tuple[float, float], *, within_px: float = 30) -> bool:
    """Whether something is drawn around here."""
    ys, xs = alpha.nonzero()
    return bool(((abs(xs - place[0]) < within_px) & (abs(ys - place[1]) < within_px)).any())


_JSON = {"Content-Type": "application/json"}


@cache
def _token(url: str, code: str) -> str:
    return str(_read_json(Request(f"{url}api/v1/join", _json({"code": code}), _JSON))["token"])


def _json(body: dict[str, Any]) -> bytes:
    return json.dumps(body).encode()


def _read_json(request: Request) -> Any:
    with urlopen(request, timeout=120) as answer:
        return json.load(answer)
