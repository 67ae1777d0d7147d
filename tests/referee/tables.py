"""Small tables for rules: exact places, one line a miniature."""

from typing import Any

from models.queries import QUERY
from models.state import TableState
from models.verdict import Verdict
from referee import ask


def mini(id_: str, x: float, y: float, facing: float | None = 0.0, *, mm: float = 30, **more: Any) -> dict[str, Any]:
    """A miniature on a round base; `reach` gives it one melee weapon, `gun` one ranged weapon, in inches."""
    profile: dict[str, Any] = {"abilities": more.pop("abilities", [])}
    if "reach" in more:
        profile["melee"] = [{"name": "Blade", "reach_in": more.pop("reach")}]
    if "gun" in more:
        profile["ranged"] = [{"name": "Gun", "rng_in": more.pop("gun")}]
    profile |= more.pop("profile", {})
    base = {"shape": "round", "diameter_mm": mm}
    sigma = {"sigma": {"at_mm": more.pop("sigma")}} if "sigma" in more else {}
    return {"id": id_, "base": base, "at_mm": [x, y], "facing_deg": facing, "profile": profile, **sigma, **more}


def box(id_: str, kind: str, left: float, near: float, right: float, far: float, **more: Any) -> dict[str, Any]:
    """A rectangular piece of terrain."""
    corners = [[left, near], [right, near], [right, far], [left, far]]
    return {"id": id_, "kind": kind, "polygon_mm": corners, **more}


def table(*miniatures: dict[str, Any], **more: Any) -> TableState:
    size = {"width_mm": 1219.2, "depth_mm": 1219.2}
    return TableState.model_validate(
        {"edition": "warmachine-prime", "table": size, "miniatures": list(miniatures), **more}
    )


def asked(state: TableState, kind: str, **fields: Any) -> Verdict:
    return ask(state, QUERY.validate_python({"kind": kind, **fields}))


def answers(verdict: Verdict) -> dict[str, str]:
    """The answer about each member."""
    return {member.id: member.answer.value for member in verdict.members if member.answer is not None}
