"""Refusals: what is refused before a route is reached is a problem too, and the right is looked at before the body.

Starlette counts bodies (`RequestBodyLimitMiddleware`) and says in plain text what it refuses; here that becomes a
problem. Who has no seat and is refused again and again is answered ever a second later: trying shall not cost us more.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import HTTPConnection
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import TooMuch
from api.http.problems import add_problem_handlers, problem_response
from api.http.same_origin import HostCheck, SameOrigin
from api.http.security_headers import SecurityHeaders
from api.seats.sessions import RateLimit
from api.storage.untrusted_files import find_lone_surrogate
from models.errors import TablesideError

MOST_BYTES = 600_000  # what can be checked in 50 ms of the event loop
MOST_QUESTION_BYTES = 64_000  # of one question, with whatever is supposed of a table
MOST_PHOTOGRAPH_BYTES = 40_000_000
MOST_REFUSALS, WITHIN_S, PAUSE_S = 30, 10.0, 1.0
_MOST_DRAINED_BYTES, _DRAIN_S = 50_000_000, 5.0
_REFUSED = {400, 403, 413, 422, 429}
Check = Callable[[HTTPConnection], object]


class PacedRefusals:
    """Outermost: makes plain refusals of a body's length problems, and paces who is refused too often."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        is_seated: Callable[[HTTPConnection], bool],
        pause_s: float = PAUSE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._is_seated = is_seated
        self._pause_s = pause_s
        self._refused = RateLimit(most=MOST_REFUSALS, within_s=WITHIN_S, clock=clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        await self._app(scope, receive, lambda message: self._pass_on(answer, scope, message))
        if answer.is_too_long:
            length = HTTPConnection(scope).headers.get("content-length", "")
            length_bytes = int(length[:20]) if length.isdigit() else None
            if (length_bytes or 0) <= _MOST_DRAINED_BYTES:
                await _drain(receive)
            wrong = TooMuch("This is longer than is taken here.", field="content-length", value=length_bytes)
            await problem_response(wrong.problem(), headers={"Connection": "close"})(scope, receive, send)

    async def _pass_on(self, answer: "_Answer", scope: Scope, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] in _REFUSED:
            await self._pace(scope)
        await answer.pass_on(message)

    async def _pace(self, scope: Scope) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        if self._is_seated(HTTPConnection(scope)):
            return
        if self._refused.is_exceeded(address):
            await asyncio.sleep(self._pause_s)
        self._refused.record_failure(address)


async def _drain(receive: Receive) -> None:
    """Let some of what is too long run by: who is still sending when the line closes never reads why."""
    drained = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            while drained < _MOST_DRAINED_BYTES:
                message = await receive()
                drained += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


class _Answer:
    """An answer on its way out; a plain 413 is held back."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_too_long = False

    async def pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == TooMuch.status:
            self.is_too_long = not _is_problem(message)
        if not self.is_too_long:
            await self._send(message)


def _is_problem(message: Message) -> bool:
    return any(name.lower() == b"content-type" and b"problem" in value for name, value in message["headers"])


@dataclass(frozen=True)
class _GuardedRoute:
    """A route that needs rights."""

    route: Any
    checks: tuple[Check, ...]


class RightFirst:
    """Looks at the right of a route's seat before a byte of the body is taken; FastAPI reads the body first."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._guarded: Sequence[_GuardedRoute] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        try:
            for check in self._checks_of(scope):
                check(HTTPConnection(scope))
        except TablesideError as wrong:
            await problem_response(wrong.problem())(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _checks_of(self, scope: Scope) -> tuple[Check, ...]:
        if self._guarded is None:
            self._guarded = tuple(_guarded_routes(scope["app"].routes))
        for guarded in self._guarded:
            if guarded.route.matches(scope)[0] is Match.FULL:
                return guarded.checks
        return ()


def _guarded_routes(routes: Sequence[Any]) -> list[_GuardedRoute]:
    guarded = []
    for route in iter_route_contexts(routes):
        dependant = getattr(route, "dependant", None)
        inner = dependant.dependencies if dependant is not None else ()
        checks = tuple(
            dependency.call for dependency in inner if dependency.call is not None and hasattr(dependency.call, "right")
        )
        if checks:
            guarded.append(_GuardedRoute(route, checks))
    return guarded


class WholeLetters:
    r"""Refuses JSON that writes half of a letter, as `\ud800`: values would take it, and no answer could pass it on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytearray()

        async def receive_whole() -> Message:
            message = await receive()
            body.extend(message.get("body", b""))
            if not message.get("more_body", False) and find_lone_surrogate(bytes(body)):
                raise HTTPException(400, "The body holds a lone surrogate, half of a letter.")
            return message

        is_json = scope["type"] == "http" and b"json" in dict(scope["headers"]).get(b"content-type", b"").lower()
        await self._app(scope, receive_whole if is_json else receive, send)


def add_request_checks(
    app: FastAPI, *, is_seated: Callable[[HTTPConnection], bool], names: Collection[str] = ()
) -> None:
    """Let this app check a request before its route does; the check that was added last sees it first."""
    app.add_middleware(WholeLetters)
    app.add_middleware(RightFirst)
    app.add_middleware(SameOrigin)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=MOST_BYTES)
    app.add_middleware(PacedRefusals, is_seated=is_seated)
    app.add_middleware(HostCheck, names=names)
    app.add_middleware(SecurityHeaders)
    add_problem_handlers(app)
