"""Call store: who wants a judge, who takes it, what is ruled; kept in the hub's database with its orders."""

import json
from collections.abc import Callable
from typing import Any, Literal

import sqlalchemy as sa
from pydantic import Field

from api.hall.errors import CallConflict, NoSuchCall
from api.hall.rounds import CallWithdrawn, JudgeCalled
from api.hall.schema import CALLS, ORDERS, HallDatabase
from api.hall.transport import Order
from models.frozen import Frozen

CallState = Literal["waiting", "taken", "ruled", "appealed", "closed"]


class HallRuling(Frozen):
    """What a judge of the hall decided on a call."""

    by: str
    at_s: float
    said: str
    reason: str


class Call(Frozen):
    """A call with its history. Times by the hub's clock; the wait begins when the hub first heard of it."""

    id: int
    table: int
    line: int
    by: str
    verdict: str | None
    called_s: float
    state: CallState = "waiting"
    judge: str | None = None
    taken_s: float | None = None
    rulings: tuple[HallRuling, ...] = Field((), description="the first, and beside it the head judge's on appeal")
    appeal: str | None = Field(None, description="why it is appealed")
    closed_s: float | None = None
    given_s: float = Field(0, description="the time extension that was given")

    def changed(self, **changes: object) -> "Call":
        return Call.model_validate(self.__dict__ | changes)


class NewHallRuling(Frozen, json_schema_extra={"examples": [{"said": "In range", "reason": "Measured again by tape"}]}):
    """What the judge says, on the spot or from afar."""

    said: str = Field(min_length=1, max_length=120)
    reason: str = Field("", max_length=400)


class Appeal(Frozen, json_schema_extra={"examples": [{"reason": "The wall had been moved before"}]}):
    """Why the ruling is appealed."""

    reason: str = Field(min_length=1, max_length=400)


class Closing(Frozen, json_schema_extra={"examples": [{"extension_s": 240}]}):
    """The time to give the table, when the judge gives it."""

    extension_s: float = Field(0, ge=0, le=3600)


OPEN = ("waiting", "taken", "ruled", "appealed")
MOST_CLOSED = 50


def note_calls(
    db: sa.Connection, table: int, journal: str, line: int, entry: JudgeCalled | CallWithdrawn, *, now_s: float
) -> None:
    """Open the call that this line makes, or close the table's calls that it withdraws."""
    if isinstance(entry, JudgeCalled) and not _is_known(db, table, line):
        row = {"number": table, "journal": journal, "line": line, "state": "waiting", "call": ""}
        id_ = db.execute(sa.insert(CALLS).values(**row).returning(CALLS.c.id)).scalar_one()
        made = Call(id=id_, table=table, line=line, by=entry.by, verdict=entry.verdict, called_s=now_s)
        db.execute(sa.update(CALLS).where(CALLS.c.id == id_).values(call=made.model_dump_json()))
    elif isinstance(entry, CallWithdrawn):
        of_table = sa.and_(CALLS.c.number == table, CALLS.c.state.in_(OPEN))
        for text_ in list(db.execute(sa.select(CALLS.c.call).where(of_table)).scalars()):
            _keep(db, Call.model_validate_json(text_).changed(state="closed", closed_s=now_s))


def _is_known(db: sa.Connection, table: int, line: int) -> bool:
    wanted = sa.select(CALLS.c.id).where(CALLS.c.number == table, CALLS.c.line == line)
    return db.execute(wanted.limit(1)).scalar() is not None


class CallStore:
    """Calls and orders. Two judges who act at once do so one after the other."""

    def __init__(self, store: HallDatabase) -> None:
        self._store = store

    def all(self, *, most_closed: int | None = MOST_CLOSED) -> tuple[Call, ...]:
        """Open calls and the newest closed ones, the oldest first; null: all of them."""
        wanted = sa.select(CALLS.c.call)
        with self._store.transaction() as db:
            opened = list(db.execute(wanted.where(CALLS.c.state.in_(OPEN)).order_by(CALLS.c.id)).scalars())
            shut = wanted.where(CALLS.c.state == "closed").order_by(CALLS.c.id.desc()).limit(most_closed)
            closed = list(db.execute(shut).scalars())
        calls = [Call.model_validate_json(text) for text in (*opened, *closed)]
        return tuple(sorted(calls, key=lambda call: call.id))

    def take(self, id_: int, judge: str, *, hears_appeals: bool = True) -> Call:
        """This judge goes. Raises: NoSuchCall; CallConflict when another does, or the head judge shall."""

        def change(call: Call, now_s: float, db: sa.Connection) -> Call:
            if call.state == "appealed" and call.judge is None:
                if not hears_appeals:
                    raise CallConflict(f"call {id_} is appealed: the head judge takes it", field="call", value=id_)
                if judge == call.rulings[-1].by:
                    raise CallConflict(f"call {id_}: {judge} gave the first ruling", field="call", value=id_)
            if call.state == "closed" or (call.judge not in (None, judge) and call.state != "appealed"):
                raise CallConflict(f"call {id_} is {call.judge or 'nobody'}'s, {call.state}", field="call", value=id_)
            if call.judge == judge:
                return call
            order_table(db, call.table, "say", says=f"{judge} is on the way.")
            state = "appealed" if call.state == "appealed" else "taken"
            return call.changed(state=state, judge=judge, taken_s=now_s)

        return self._change(id_, change)

    def rule(self, id_: int, judge: str, said: str, reason: str) -> Call:
        """This is ruled; on appeal it stands beside the first. Raises: NoSuchCall, CallConflict."""

        def change(call: Call, now_s: float, db: sa.Connection) -> Call:
            if call.judge != judge or call.state == "closed":
                raise CallConflict(f"call {id_} is {call.judge or 'nobody'}'s: take it first", field="call", value=id_)
            made = HallRuling(by=judge, at_s=now_s, said=said, reason=reason)
            order_table(db, call.table, "ruling", says=f"{judge} rules: {said}", said=said, reason=reason, by=judge)
            return call.changed(state="ruled", rulings=(*call.rulings, made))

        return self._change(id_, change)

    def appeal(self, id_: int, reason: str) -> Call:
        """The head judge shall look at it. Raises: NoSuchCall; CallConflict when nothing is ruled."""

        def change(call: Call, now_s: float, db: sa.Connection) -> Call:
            if call.state != "ruled":
                raise CallConflict(f"call {id_} is {call.state}: nothing is ruled", field="call", value=id_)
            return call.changed(state="appealed", appeal=reason, judge=None)

        return self._change(id_, change)

    def close(self, id_: int, extension_s: float) -> Call:
        """The game goes on, longer by so much. Raises: NoSuchCall, CallConflict."""

        def change(call: Call, now_s: float, db: sa.Connection) -> Call:
            if call.state == "closed":
                raise CallConflict(f"call {id_} is closed already", field="call", value=id_)
            order_table(db, call.table, "go-on", extension_s=extension_s, says="The game goes on.")
            return call.changed(state="closed", closed_s=now_s, given_s=extension_s)

        return self._change(id_, change)

    def say(self, table: int, says: str) -> None:
        """Have the table show this."""
        with self._store.changing() as db:
            order_table(db, table, "say", says=says)

    def orders_of(self, table: int, *, after: int) -> list[Order]:
        wanted = sa.select(ORDERS).where(ORDERS.c.number == table, ORDERS.c.id > after).order_by(ORDERS.c.id)
        with self._store.transaction() as db:
            return [Order(number=row.id, kind=row.kind, facts=json.loads(row.facts)) for row in db.execute(wanted)]

    def newest_orders(self) -> dict[int, int]:
        newest = sa.select(ORDERS.c.number, sa.func.max(ORDERS.c.id).label("newest")).group_by(ORDERS.c.number)
        with self._store.transaction() as db:
            return {row.number: row.newest for row in db.execute(newest)}

    def _change(self, id_: int, change: Callable[[Call, float, sa.Connection], Call]) -> Call:
        with self._store.changing() as db:
            text = db.execute(sa.select(CALLS.c.call).where(CALLS.c.id == id_).with_for_update()).scalar()
            if text is None:
                raise NoSuchCall(f"there is no call {id_}", field="call", value=id_)
            call = change(Call.model_validate_json(text), self._store.now_s(), db)
            _keep(db, call)
        return call


def _keep(db: sa.Connection, call: Call) -> None:
    values = {"state": call.state, "call": call.model_dump_json()}
    db.execute(sa.update(CALLS).where(CALLS.c.id == call.id).values(**values))


def order_table(db: sa.Connection, table: int, kind: str, **facts: Any) -> None:
    """Ask this of the table: it does so once, when it is there."""
    db.execute(sa.insert(ORDERS).values(number=table, kind=kind, facts=json.dumps(facts)))
