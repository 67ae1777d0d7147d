"""RFC 9457 problems: one shape of every error for HTTP, the socket and the phone."""

import logging
import math
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from api.errors import TooMuch
from api.evaluation.asker import AskerGone
from api.http.openapi import PROBLEM
from models.errors import BadInput, TablesideError

log = logging.getLogger(__name__)

_WHERE = {"body", "query", "path"}


def problem_response(problem: dict[str, Any], *, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The problem as a response, with its own status and media type; what JSON has no word for is told as text."""
    return JSONResponse(tellable(problem), status_code=problem["status"], media_type=PROBLEM, headers=headers)


def tellable(value: Any) -> Any:
    """The value as JSON can tell it: no NaN and no infinity, no half of a letter."""
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {tellable(name): tellable(inner) for name, inner in value.items()}
        case list() | tuple():
            return [tellable(inner) for inner in value]
        case _:
            return value


_NOTHING_HERE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tableside</title>
<meta name="viewport" content="width=device-width"></head>
<body><main><h1>There is no such page at this table.</h1>
<p><a href="/">Look at the table</a>, or <a href="/join">take a seat with a code</a>.</p></main></body></html>
"""


def add_problem_handlers(app: FastAPI) -> None:
    app.add_exception_handler(TablesideError, _answer_ours)
    app.add_exception_handler(RequestValidationError, _answer_malformed)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(AskerGone, _answer_nobody)
    app.add_exception_handler(ClientDisconnect, _answer_nobody)
    app.add_exception_handler(Exception, _answer_unexpected)


async def _answer_ours(_: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, TablesideError)
    wait_s = wrong.facts.get("retry_after_s")
    return problem_response(wrong.problem(), headers=None if wait_s is None else {"Retry-After": str(wait_s)})


async def _answer_malformed(_: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, RequestValidationError)
    first = wrong.errors()[0]
    field = ".".join(str(part) for part in first["loc"] if part not in _WHERE)
    value = first.get("input")
    plain = value if isinstance(value, str | int | float | bool | None) else None
    return problem_response(BadInput(f"{field or '(whole)'}: {first['msg']}", field=field, value=plain).problem())


async def _answer_http(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException)
    if wrong.status_code == 404 and _is_person(request):
        return HTMLResponse(_NOTHING_HERE, status_code=404)
    if wrong.status_code == 400:  # FastAPI's word for a body in which nothing can be read
        return problem_response(BadInput(wrong.detail, field="", value=None).problem())
    if wrong.status_code == TooMuch.status:  # Starlette's word for a body that is too long
        return problem_response(TooMuch("This is longer than is taken here.", field="body", value=None).problem())
    problem = {"type": "about:blank", "title": wrong.detail, "status": wrong.status_code, "detail": wrong.detail}
    return problem_response(problem, headers=wrong.headers)


def _is_person(request: Request) -> bool:
    """Whether a browser shows the answer to somebody who typed or followed an address."""
    is_page = request.method == "GET" and not request.url.path.startswith(("/api/", "/assets/"))
    return is_page and "text/html" in request.headers.get("accept", "")


async def _answer_nobody(_: Request, __: Exception) -> Response:
    """Who asked has hung up; the status is for a log, nobody reads it."""
    return Response(status_code=499)


async def _answer_unexpected(request: Request, wrong: Exception) -> JSONResponse:
    log.error("our fault path=%s", request.url.path, exc_info=wrong)
    return problem_response(TablesideError("This is our own fault; the log says more.").problem())
