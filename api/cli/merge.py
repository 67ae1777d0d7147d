"""`tableside merge`: the states of two cameras over one table become one."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.storage.files import load, save
from models.errors import BadState, CamerasDisagree
from models.state import TableState

if TYPE_CHECKING:
    from vision.camera_fusion import FusedState


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("merge")
    def merge_states(
        first: Annotated[Path, typer.Argument(help="The state that one camera saw.")],
        second: Annotated[Path, typer.Argument(help="The state that another saw at the same moment.")],
        output: Annotated[Path, typer.Option("-o", "--output", help="The state file to write.")],
        sigmas: Annotated[float, typer.Option(help="Doubts apart beyond which nothing is averaged.", min=1)] = 4.0,
        force: Annotated[bool, typer.Option("--force", help="Write the state though the cameras disagree.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
        anyway: Annotated[bool, typer.Option("--anyway", hidden=True)] = False,  # --force, as it was spelled until 0.2
    ) -> None:
        """One state from two cameras: each base by how surely either saw it; where they disagree, said by name."""
        from vision.camera_fusion import fuse_states

        seen = [load(TableState, path, error=BadState) for path in (first, second)]
        merged = fuse_states(seen[0], seen[1], sigmas=sigmas)
        if merged.overlap.is_alarming and not (force or anyway):
            raise CamerasDisagree(
                _describe_overlap(merged), field="second", value=str(second), overlap=_overlap(merged)
            )
        save(merged.state, output)
        print(json.dumps(_facts(merged)) if as_json else _describe(merged))


def _overlap(merged: "FusedState") -> dict[str, object]:
    overlap = merged.overlap
    return {
        "bases": overlap.bases,
        "apart_mm": round(overlap.apart_mm, 3),
        "expected_mm": round(overlap.expected_mm, 3),
        "shift_mm": [round(one, 3) for one in overlap.shift_mm],
        "alarm": overlap.is_alarming,
    }


def _facts(merged: "FusedState") -> dict[str, object]:
    return {
        "miniatures": len(merged.state.miniatures),
        "overlap": _overlap(merged),
        "came_from": merged.came_from,
        "disagreements": [
            {"id": one.id, "apart_mm": round(one.apart_mm, 3), "sigmas": round(one.sigmas, 1), "facing": one.is_facing}
            for one in merged.disagreements
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
    for one in merged.disagreements:
        what = "facing" if one.is_facing else f"place, {one.apart_mm:.2f} mm"
        lines.append(f"the cameras disagree on {one.id}: {what} ({one.sigmas:.1f} sigmas)")
    return "\n".join(lines)
