"""Renders tables into a folder; those that are there already are left alone."""

import argparse
import json
import math
import random as dice
from pathlib import Path
from typing import Any

import bpy

from vision.training.blender import bases, meshes, scene
from vision.training.blender.scene import VIEWS, View, any_view, regiment, render_view, skirmish, spot


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training.blender", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--view", choices=VIEWS, default=VIEWS[0])
    parser.add_argument("--ranked", action="store_true", help="ranked units on six feet by four, not a skirmish")
    parser.add_argument("--samples", type=int, default=12)
    said = parser.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(said.seed, said.seed + said.tables):
        name = f"{said.view}-{'ranked' if said.ranked else 'mixed'}-{seed}"
        if not (said.folder / f"{name}.json").exists():
            table(said.folder / name, seed, view_name=said.view, ranked=said.ranked, samples=said.samples)


def table(path: Path, seed: int, *, view_name: str, ranked: bool, samples: int) -> None:
    """Lays out, renders and writes down one table."""
    random = dice.Random(f"{seed} {view_name} {ranked}")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    meshes.clear_cache()
    width, depth = (1828.8, 1219.2) if ranked else (1219.2, 1219.2)
    mat = scene.lay_table(width, depth, random)
    fiducials = scene.fiducials(width, depth, path.parent)
    models, terrain = _armies(random, width, depth, ranked=ranked)
    terrain += _pieces(random, width, depth, models)
    things = _things(random, width, depth, models)
    scene.lamps(width, depth, random)
    if random.random() < 0.15:
        scene.arm(width, depth, random)
    view = any_view(view_name, width, depth, random)
    for base, entry in models:
        entry["in_view"] = view.shows(base.x_mm, base.y_mm, base.z_mm, reach_mm=base.reach_mm)
    render_view(view, path.with_suffix(".jpg"), random, samples=samples)
    truth = {
        "seed": seed, "table_mm": [width, depth], "mat": mat, "camera_name": view.name, "camera": view.truth(),
        "fiducials": fiducials, "terrain": terrain, "models": [entry for _, entry in models], "clutter": things,
    }  # fmt: skip
    _write(path, truth, view)


Stood = tuple[bases.Base, dict[str, Any]]


def _armies(
    random: dice.Random, width: float, depth: float, *, ranked: bool
) -> tuple[list[Stood], list[dict[str, Any]]]:
    taken: list[bases.Base] = []
    stood: list[Stood] = []
    if ranked:
        for unit in range(random.randint(4, 8)):
            army = bases.any_army(random, square=True)
            stood += _place_group(regiment(random, f"u{unit}", width, depth, taken), army, random, len(stood))
    raised, terrain = _on_hills(random, width, depth, taken) if not ranked else ([], [])
    for side in range(2):
        army, square = bases.any_army(random), bases.any_army(random, square=True)
        wanted = list(skirmish(random, random.randint(2, 5) if ranked else random.randint(14, 34), width, depth, taken))
        wanted += raised[side::2]
        for base in wanted:
            stood += _place_group([base], square if base.shape == "rect" else army, random, len(stood), side)
    return stood, terrain


def _on_hills(
    random: dice.Random, width: float, depth: float, taken: list[bases.Base]
) -> tuple[list[bases.Base], list[dict[str, Any]]]:
    raised, terrain = [], []
    for _ in range(random.randint(0, 2)):
        at = spot(random, width, depth, taken, reach_mm=170)
        if at is None:
            continue
        high = random.uniform(10, 40)
        terrain.append({"kind": "hill", "height_mm": high, "polygon_mm": scene.hill(*at, random, high=high)})
        taken.append(bases.Base("round", 340, 340, *at, 0.0))  # nobody else stands on its slope
        size = float(random.choice((30, 40, 50)))
        raised.append(bases.Base("round", size, size, *at, random.uniform(-3, 3), z_mm=high))
    return raised, terrain


def _place_group(
    group: list[bases.Base], army: bases.Army, random: dice.Random, number: int, side: int = 0
) -> list[Stood]:
    stood: list[Stood] = []
    for base in group:
        tall = bases.stand(base, army, random)
        entry = {
            "id": f"m{number + len(stood)}", "side": side,
            "base": base.truth() | {"profile": army.profile, "top_mm": army.top_mm},
            "centre_mm": [base.x_mm, base.y_mm], "z_mm": base.z_mm, "on": "hill" if base.z_mm else "table",
            "facing_rad": base.facing, "marking": army.marking, "sculpt_height_mm": tall, "in_view": True,
        }  # fmt: skip
        if base.unit is not None:
            entry |= dict(zip(("unit", "rank", "file"), base.unit, strict=True))
        stood.append((base, entry))
    return stood


def _pieces(random: dice.Random, width: float, depth: float, models: list[Stood]) -> list[dict[str, Any]]:
    pieces = []
    for _ in range(random.randint(2, 6)):
        kind = random.choice(("wall", "wall", "building", "forest", "rubble", "water"))
        at = spot(random, width, depth, [base for base, _ in models], reach_mm=80 if kind == "wall" else 115)
        pieces += [scene.piece(kind, *at, random)] if at else []
    return pieces


def _things(random: dice.Random, width: float, depth: float, models: list[Stood]) -> list[dict[str, Any]]:
    things = []
    for _ in range(random.randint(6, 22)):
        kind = random.choice(("die", "die", "token", "token", "coin", "card", "tape", "template"))
        reach = {"die": 14, "token": 28, "coin": 16, "card": 58, "tape": 45, "template": 66}[kind]
        at = spot(random, width, depth, [base for base, _ in models], reach_mm=reach)
        things += [scene.clutter(kind, *at, random)] if at else []
    return things


def _write(path: Path, truth: dict[str, Any], view: View) -> None:
    """The truth, and beside it what `tableside locate` reads."""
    seen = truth["camera"]
    camera = {
        "version": 1, "image_size": seen["image_size"], "model": "brown", "K": seen["K"],
        "dist": seen["dist_k1k2p1p2k3"], "covariance": [[0.0] * 9 for _ in range(9)], "rms_px": 0.0,
    }  # fmt: skip
    ground = [
        {"id": f"t{k}", "kind": piece["kind"], "polygon_mm": piece["polygon_mm"], "sigma_mm": 0.3,
         "surface_mm": 0 if piece["kind"] in ("wall", "building") else piece["height_mm"]}
        for k, piece in enumerate(truth["terrain"])
    ]  # fmt: skip
    layout = {"table_mm": truth["table_mm"], "fiducials": truth["fiducials"], "terrain": ground}
    path.with_name(path.name + ".camera.json").write_text(json.dumps(camera))
    path.with_name(path.name + ".layout.json").write_text(json.dumps(layout))
    path.with_name(path.name + ".state.json").write_text(json.dumps(_state(truth)))
    path.with_suffix(".json").write_text(json.dumps(truth))


def _state(truth: dict[str, Any]) -> dict[str, Any]:
    """The truth as `tableside locate` would write it, were it without error."""
    sizes = ("shape", "diameter_mm", "width_mm", "depth_mm")
    miniatures = [
        {
            "id": model["id"],
            "base": {name: model["base"][name] for name in sizes if name in model["base"]},
            "at_mm": model["centre_mm"],
            "elevation_mm": model["z_mm"],
            "facing_deg": math.degrees(model["facing_rad"]) % 360,
        }
        for model in truth["models"]
        if model["in_view"]
    ]
    width, depth = truth["table_mm"]
    table = {"width_mm": width, "depth_mm": depth}
    return {"version": 1, "edition": "warmachine-prime", "table": table, "miniatures": miniatures}


if __name__ == "__main__":
    main()
