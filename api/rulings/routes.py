"""Rulings over HTTP: look at a verdict by tape, decide about it, take a decision back, print a record of it."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from api.errors import JournalFailed, NoSuchMoment, NoSuchRuling, NoTableYet
from api.halted import Referees
from api.hub import Hub
from api.moments import Moments
from api.openapi import content, problems
from api.overlay.desk import OverlayDesk
from api.pair import Pair, Sheet
from api.rulings.asking import found_for, sheet_about
from api.rulings.entries import Ruled
from api.rulings.record import record_of
from api.rulings.ruling import Brief, NewRuling, Ruling
from api.rulings.rulings import Rulings
from api.rulings.tape import Compared, TapeReading
from api.seats.asking import needs
from api.seats.seat import Right, Seat
from api.sighting import Said
from models.frozen import Frozen

PREFIX = "/api/v1/rulings"
_ASKED = problems(NoTableYet, NoSuchMoment)
Judge = Annotated[Seat, needs(Right.RULE)]


class LookByTape(Frozen):
    """A pair, and what the judge's tape says about it."""

    at: int | None = Field(None, ge=1, description="the moment of the table; null: now")
    pair: Pair
    tape: TapeReading


class Taped(Frozen):
    """The pair's sheet by the tape, with camera and tape side by side."""

    sheet: Sheet
    compared: Compared | None


class Withdrawal(Frozen):
    """Why a ruling does not hold any more."""

    reason: str = Field(min_length=1, max_length=400)


def ruling(rulings: Rulings, moments: Moments, overlay: OverlayDesk, hub: Hub, *, ask: Referees) -> APIRouter:
    """The routes of the judge's rulings. Everybody may read them, and phones hear of each; only the judge writes."""
    router = APIRouter(tags=["rulings"])
    router.include_router(_reading(rulings, hub))
    router.include_router(_writing(rulings, moments, overlay, hub, ask))
    return router


def _reading(rulings: Rulings, hub: Hub) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.get("")
    async def briefs() -> tuple[Brief, ...]:
        """The newest rulings, the oldest of them first."""
        return rulings.briefs()

    @router.get("/{n}", responses=problems(NoSuchRuling))
    def one(n: int) -> Ruling:
        """A ruling with its verdict."""
        return rulings.of(n)

    @router.get("/{n}/record.html", response_class=Response, responses=content("text/html") | problems(NoSuchRuling))
    def record(n: int) -> Response:
        """A page to print: the drawn witness, the numbers, the sources, what was decided, and room for signatures."""
        ruled, _ = rulings.kept(n)
        page = record_of(rulings.of(n), ruled.state, title=hub.title)
        return Response(page, media_type="text/html", headers={"Cache-Control": "no-store"})

    return router


def _writing(rulings: Rulings, moments: Moments, overlay: OverlayDesk, hub: Hub, ask: Referees) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.post("/taped", responses=_ASKED)
    def taped(look: LookByTape, _: Judge) -> Taped:
        """What would hold if the bases were as far apart as the tape says; nothing is written."""
        sheet, beside = sheet_about(moments.table(look.at), look.pair, look.tape, ask=ask.about(look.at))
        return Taped(sheet=sheet, compared=beside)

    @router.post("", status_code=201, responses=_ASKED | problems(NoTableYet, JournalFailed))
    async def rule(wanted: NewRuling, seat: Judge) -> Ruling:
        """Decide. The verdict is asked anew, and kept with all it stands on. The same key again is the same ruling."""
        found = await run_in_threadpool(found_for, wanted.about, moments, ask=ask.about(wanted.about.at))
        if (before := rulings.by_key(wanted.key, by=seat)) is not None:
            return before
        told = wanted.model_dump(include={"decision", "stands", "reason", "key"})
        ruled = Ruled(by=seat, about=wanted.about, line=found.line, compared=found.compared, state=found.state, **told)
        written = rulings.write(ruled)
        if wanted.on_air:
            _put_on_air(ruled, written, overlay)
        hub.take(Said(f"Judge: {written.line.title}: {written.said}"))
        return written

    @router.post("/{n}/withdraw", responses=problems(NoSuchRuling, JournalFailed))
    async def withdraw(n: int, why: Withdrawal, seat: Judge) -> Ruling:
        """Take a ruling back; it stays in the journal, with the reason."""
        withdrawn = rulings.withdraw(n, why.reason, by=seat)
        hub.take(Said(f"Judge: ruling {n} is withdrawn"))
        return withdrawn

    return router


def _put_on_air(ruled: Ruled, written: Ruling, overlay: OverlayDesk) -> None:
    """It is settled, so it may be shown whatever the stream holds back."""
    pair = ruled.about.pair
    item = overlay.put_on(ruled.state, (ruled.line,), a=pair.a, b=pair.b, is_now=ruled.about.at is None)
    overlay.resolve(item.id, ruling=written.said)
