"""Alarms: what is not as it should be with the server itself, each until it is over; judge and phones hear of it."""

import time
from collections.abc import Callable, Mapping

from pydantic import Field

from models.frozen import Frozen

PROOF = "proof"
"""The code of: this game is not what the table wrote."""


class Alarm(Frozen):
    """Something that is not as it should be. The same `code` again takes its place."""

    code: str = Field(description="such as `journal`, `step-17` or `worker`")
    says: str
    since_s: float = Field(description="seconds since 1970")


class Alarms:
    """Standing alarms by their codes; lives on the server's event loop, as the hub does."""

    def __init__(self, *, changed: Callable[[], None], clock: Callable[[], float] = time.time) -> None:
        """`changed` is called after each change."""
        self._changed = changed
        self._clock = clock
        self._standing: dict[str, Alarm] = {}

    def all(self) -> tuple[Alarm, ...]:
        return tuple(self._standing.values())

    def find(self, code: str) -> Alarm | None:
        return self._standing.get(code)

    def sound(self, code: str, says: str) -> None:
        was = self._standing.get(code)
        if was is None or was.says != says:
            self._standing[code] = Alarm(code=code, says=says, since_s=self._clock())
            self._changed()

    def end(self, code: str) -> bool:
        was = self._standing.pop(code, None)
        if was is not None:
            self._changed()
        return was is not None

    def replace_group(self, prefix: str, standing: Mapping[str, str]) -> None:
        """Of all codes that begin so, these stand and no others."""
        gone = [code for code in self._standing if code.startswith(prefix) and code not in standing]
        is_other = any(code not in self._standing or self._standing[code].says != standing[code] for code in standing)
        for code in gone:
            del self._standing[code]
        for code, says in standing.items():
            was = self._standing.get(code)
            if was is None or was.says != says:
                self._standing[code] = Alarm(code=code, says=says, since_s=self._clock())
        if gone or is_other:
            self._changed()
