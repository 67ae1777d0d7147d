"""`tableside calibrate heights`: how high terrain is, from bases on it that two pictures show."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.calibrate import Json, command
from api.storage.files import load, save
from models.camera import CameraPose
from models.errors import BadCamera, BadInput, BadLayout, BadState
from models.layout import Layout
from models.state import TableState

if TYPE_CHECKING:
    from vision.terrain.height_triangulation import SurfaceHeight

StateAndPose = tuple[Path, Path]


def heights(
    layout: Annotated[Path, typer.Argument(help="The layout whose terrain has heights to be found.")],
    first: Annotated[StateAndPose, typer.Option(help="A state from `tableside locate` and the pose of its picture.")],
    second: Annotated[StateAndPose, typer.Option(help="The same from elsewhere, nothing moved in between.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The layout file to write.")],
    as_json: Json = False,
) -> None:
    """How high hills are, from bases on them that were seen from two places."""
    from vision.terrain.height_triangulation import triangulate_heights, with_heights

    described = load(Layout, layout, error=BadLayout)
    seen = [
        (load(TableState, state, error=BadState), load(CameraPose, pose, error=BadCamera))
        for state, pose in (first, second)
    ]
    solved = triangulate_heights(seen, described)
    if not solved:
        raise BadInput(
            "no base on any terrain was seen from two places: stand some on the hills, and take both pictures with"
            " nothing moved in between",
            field="second",
            value=str(second[0]),
        )
    save(with_heights(described, solved), output)
    print(json.dumps([_fact(one) for one in solved]) if as_json else "\n".join(map(_describe, solved)))


def _fact(solved: "SurfaceHeight") -> dict[str, object]:
    return {
        "terrain": solved.terrain,
        "surface_mm": round(solved.surface_mm, 2),
        "sigma_mm": round(solved.sigma_mm, 2),
        "bases": solved.bases,
        "entered_mm": solved.entered_mm,
    }


def _describe(solved: "SurfaceHeight") -> str:
    before = "" if solved.entered_mm is None else f"; {solved.entered_mm:.1f} mm was entered"
    return f"{solved.terrain}: {solved.surface_mm:.1f} mm (sigma {solved.sigma_mm:.1f}, {solved.bases} bases){before}"


def register(_: typer.Typer) -> None:
    """Add it to `tableside calibrate`."""
    command.command("heights")(heights)
