"""`tableside merge`: the states of two cameras over one table become one."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.invocation import wants_json
from api.storage.files import load, save
from models.errors import BadState, CamerasDisagree
from models.state import TableState

if TYPE_CHECKING:
    from vision.camera_fusion import FusedState


def merge_states(
    context: typer.Context,
    first: Annotated[Path, typer.Argument(help="The state that one camera saw.")],
    second: Annotated[Path, typer.Argument(help="The state that another saw at the same moment.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The state file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Write the state though the cameras disagree.")] = False,
) -> None:
    """One state from two cameras: each base by how surely either saw it; where they disagree, said by name."""
    from vision.camera_fusion import fuse_states

    states = [load(TableState, path, error=BadState) for path in (first, second)]
    merged = fuse_states(states[0], states[1])
    if merged.overlap.is_alarming and not force:
        raise CamerasDisagree(_describe_overlap(merged), field="second", value=str(second), overlap=_overlap(merged))
    save(merged.state, output)
    typer.echo(json.dumps(_facts(merged)) if wants_json(context) else _describe(merged))


def _overlap(merged: "FusedState") -> dict[str, object]:
    overlap = merged.overlap
    return {
        "bases": overlap.bases,
        "apart_mm": round(overlap.apart_mm, 3),
        "expected_mm": round(overlap.expected_mm, 3),
        "shift_mm": [round(shift, 3) for shift in overlap.shift_mm],
        "alarm": overlap.is_alarming,
    }


def _facts(merged: "FusedState") -> dict[str, object]:
    return {
        "miniatures": len(merged.state.miniatures),
        "overlap": _overlap(merged),
        "came_from": merged.came_from,
        "disagreements": [
            {"id": gap.id, "apart_mm": round(gap.apart_mm, 3), "sigmas": round(gap.sigmas, 1), "facing": gap.is_facing}
            for gap in merged.disagreements
        ],
    }


def _describe_overlap(merged: "FusedState") -> str:
    overlap = merged.overlap
    if not overlap.bases:
        return "no base is seen by both cameras: nothing checks one against the other"
    x, y = overlap.shift_mm
    return (
        f"{overlap.bases} bases are seen by both cameras, {overlap.apart_mm:.2f} mm apart; their doubt allows"
        f" {overlap.expected_mm:.2f}; the second camera's lie {-x:+.2f}, {-y:+.2f} mm aside"
    )


def _describe(merged: "FusedState") -> str:
    lines = [f"{len(merged.state.miniatures)} bases", _describe_overlap(merged)]
    for gap in merged.disagreements:
        what = "facing" if gap.is_facing else f"place, {gap.apart_mm:.2f} mm"
        lines.append(f"the cameras disagree on {gap.id}: {what} ({gap.sigmas:.1f} sigmas)")
    return "\n".join(lines)
