"""A game told as text: what is asked, what the referee says, and what moves."""

from collections.abc import Iterator
from typing import Any

from models.state import TableState
from models.verdict import Verdict
from tests.referee.tables import asked


class Game:
    """The table as it goes on, and what was said of it."""

    def __init__(self, state: TableState, *, keeps: tuple[str, ...] = ()) -> None:
        self.state, self.lines, self.keeps = state, list[str](), (*_KEPT, *keeps)

    def told(self) -> str:
        return "\n".join(self.lines) + "\n"

    def says(self, text: str) -> None:
        self.lines.append(f"# {text}")

    def asks(self, kind: str, **fields: Any) -> Verdict:
        verdict = asked(self.state, kind, **fields)
        told = " ".join(f"{key}={value}" for key, value in fields.items())
        self.lines.append(f"{kind} {told}")
        self.lines += [f"    {line}" for line in _summary(verdict, self.keeps)]
        return verdict

    def declares(self, what: str, by: str, **more: Any) -> None:
        """What is declared opens what may be measured."""
        turn = self.state.model_dump()["turn"] | {"declared": {"what": what, "by": by, **more}}
        self.state = TableState.model_validate(self.state.model_dump() | {"turn": turn})
        told = " ".join(f"{key}={value}" for key, value in more.items())
        self.lines.append(f"! {by} declares {what} {told}".rstrip())

    def follows(self, poses: Any) -> None:
        """Put everything where the verdict says it ends."""
        minis = tuple(self._moved(m, poses.get(m.id)) for m in self.state.miniatures)
        self.state = self.state.with_miniatures(minis)

    def _moved(self, miniature: Any, pose: Any) -> Any:
        if pose is None:
            return miniature
        told = miniature.model_dump() | {
            "at_mm": tuple(pose["at_mm"]),
            "facing_deg": pose.get("facing_deg", miniature.facing_deg),
        }
        return type(miniature).model_validate(told)

    def loses(self, *ids: str) -> None:
        self.state = self.state.with_miniatures(tuple(m for m in self.state.miniatures if m.id not in ids))


_KEPT = ("travelled_mm", "stopped_by", "stop_mm", "free_strikes", "in_melee_with", "contact_mm", "resumes", "point_mm",
         "cap_mm", "slammed", "controller", "points", "total", "attack", "barred")  # fmt: skip


def _summary(verdict: Verdict, keeps: tuple[str, ...]) -> Iterator[str]:
    margin = "" if verdict.margin_mm is None else f", margin {verdict.margin_mm:.1f} mm"
    unlock = "" if verdict.unlock is None else f", opened by {verdict.unlock}"
    yield f"{verdict.answer.value if verdict.answer else verdict.status}{margin}{unlock}"
    for key in keeps:
        if verdict.value.get(key) not in (None, [], {}):
            yield f"{key}: {_rounded(verdict.value[key])}"
    if verdict.members:
        yield "members: " + ", ".join(f"{m.id} {m.answer.value}" for m in verdict.members)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 1)
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items() if k != "why"}
    return [_rounded(v) for v in value] if isinstance(value, list | tuple) else value
