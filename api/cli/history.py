"""`tableside history` and `merge`: the table at an earlier moment, and the states of two cameras as one."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from api.cli.invocation import wants_json
from api.storage.files import load, read_bytes, save, write_whole
from models.errors import BadFile, BadInput, BadState, CamerasDisagree
from models.state import TableState
from models.timeline import TimelineLine

if TYPE_CHECKING:
    from vision.camera_fusion import FusedState
    from vision.tracking.history import History

_LINE: TypeAdapter[TimelineLine] = TypeAdapter(TimelineLine)


def history_at(
    timeline: Annotated[Path, typer.Argument(help="TIMELINE.jsonl from `tableside watch`.")],
    at: Annotated[float, typer.Option("--at", help="Seconds into the recording.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The state file to write.")] = None,
    as_recorded: Annotated[
        bool, typer.Option("--as-recorded", help="With the names of then, before later answers.")
    ] = False,
    moved: Annotated[str | None, typer.Option(help="This miniature: how far it went from then until --until.")] = None,
    until: Annotated[float | None, typer.Option(help="Seconds; the end of the timeline when left out.")] = None,
    allowed_mm: Annotated[float | None, typer.Option(help="Did it move more than this?")] = None,
) -> None:
    """The newest settled state at that moment; or how far a miniature moved since, and whether that was too far."""
    history, end_s = _read_timeline(timeline)
    if moved is not None:
        typer.echo(json.dumps(_measure_move(history, moved, at, end_s if until is None else until, allowed_mm)))
        return
    line = history.at(at, as_told=as_recorded)
    text = json.dumps(line.state.model_dump(mode="json", exclude_none=True), ensure_ascii=False, indent=1)
    if output is None:
        typer.echo(text)
        return
    write_whole(output, text + "\n")
    typer.echo(f"settled at {line.settled_at_s:g} s, {len(line.state.miniatures)} miniatures: {output}")


def _read_timeline(timeline: Path) -> tuple["History", float]:
    """The timeline's moments, and when it ends. Raises: BadFile with the line that is none."""
    from vision.tracking.history import History

    history, end_s = History(), 0.0
    for number, text in enumerate(read_bytes(timeline).splitlines(), start=1):
        try:
            line = _LINE.validate_json(text)
        except ValidationError as wrong:
            says = f"{timeline}: line {number} is no line of a timeline"
            raise BadFile(says, field="timeline", value=str(timeline), line=number) from wrong
        history.append(line)
        end_s = line.t_s
    return history, end_s


def _measure_move(
    history: "History", id_: str, from_s: float, to_s: float, allowed_mm: float | None
) -> dict[str, object]:
    """The distance with its sigma; the answer where an allowance is given. Raises: BadInput."""
    if to_s < from_s:
        raise BadInput(f"until {to_s:g} s is before {from_s:g} s", field="until", value=to_s)
    travel = history.displacement(id_, from_s=from_s, to_s=to_s)
    result: dict[str, object] = {
        "id": id_,
        "distance_mm": round(travel.distance_mm, 3),
        "sigma_mm": round(travel.sigma_mm, 3),
    }
    if allowed_mm is not None:
        from referee.uncertainty.stratified_share import YES_FROM

        beyond = travel.probability_beyond(allowed_mm)
        answer = "yes" if beyond >= YES_FROM else "no" if beyond <= 1 - YES_FROM else "too-close"
        result |= {"allowed_mm": allowed_mm, "moved_more": answer, "probability": round(beyond, 4)}
    return result


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
    typer.echo(json.dumps(_facts(merged)) if wants_json(context) else _describe_fusion(merged))


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


def _describe_fusion(merged: "FusedState") -> str:
    lines = [f"{len(merged.state.miniatures)} bases", _describe_overlap(merged)]
    for gap in merged.disagreements:
        what = "facing" if gap.is_facing else f"place, {gap.apart_mm:.2f} mm"
        lines.append(f"the cameras disagree on {gap.id}: {what} ({gap.sigmas:.1f} sigmas)")
    return "\n".join(lines)
