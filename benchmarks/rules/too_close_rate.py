"""How often a measured table leaves an answer too close to call, and how often a sure one is wrong.

    python -m benchmarks.rules.too_close_rate FOLDER [NAME ...] [--pairs 120] [--show-wrong]

Pictures with their truth beside them (`x.jpg`, `x.json`) are located as a player would; then pairs within 12 in are
asked about of the measured table and of the true one: of some thousand a picture as many as wanted, drawn anew for each
kind, for a line of sight between measured bases takes tens of milliseconds. `by unseen`: sure and wrong because of a
base that was not found; the same question asked of the true table without it has the measured answer.
"""

import json
import math
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track

from benchmarks.harness import run
from models.queries import QUERY
from models.state import TableState
from models.verdict import Answer, Verdict
from referee import ask

Drawn = dict[str, Any]

PAIRS_MM = 12 * 25.4
_SAME_MM = 12.0  # a base that is measured this far from a true one is none of ours
_STOOD_ON = ("hill", "forest", "rubble", "trench", "water")
_SURFACES = {"water": "shallow-water"}
_NO_FACTS: Drawn = {}
QUESTIONS: tuple[tuple[str, tuple[str, str], Drawn], ...] = (
    ("within", ("a", "b"), {"range_in": 6}),
    ("completely-within", ("a", "b"), {"range_in": 6}),
    ("b2b", ("a", "b"), _NO_FACTS),
    ("range", ("attacker", "target"), _NO_FACTS),
    ("in-front-arc", ("viewer", "target"), _NO_FACTS),
    ("in-back-arc", ("viewer", "target"), _NO_FACTS),
    ("directly-facing", ("viewer", "target"), _NO_FACTS),
    ("los", ("viewer", "target"), _NO_FACTS),
    ("cover", ("attacker", "target"), _NO_FACTS),
    ("elevation-bonus", ("attacker", "target"), _NO_FACTS),
    ("back-strike", ("attacker", "target"), _NO_FACTS),
    ("melee-range", ("attacker", "target"), _NO_FACTS),
    ("engaged", ("attacker", "target"), _NO_FACTS),
    ("in-melee-penalty", ("attacker", "target"), _NO_FACTS),
    ("target-legal", ("attacker", "target"), {"attack": "ranged"}),
)


@dataclass(frozen=True)
class Game:
    """What both tables of a picture share. `kinds`: how the edition calls ground; `card`: that of each miniature."""

    edition: str
    is_ranked: bool
    card: Drawn
    kinds: dict[str, str] = field(default_factory=dict)
    facts: Drawn = field(default_factory=dict)


PRIME = Game(
    "warmachine-prime",
    is_ranked=False,
    card={
        "profile": {
            "melee": [{"name": "Blade", "reach_in": 1}],
            "ranged": [{"name": "Gun", "rng_in": 8}],
            "defence": 12,
        }
    },
)


@dataclass(frozen=True)
class Twins:
    """One table as measured and as it is; who was found has the same id in both."""

    name: str
    measured: TableState
    true: TableState
    found: tuple[str, ...]

    @property
    def true_of_found(self) -> TableState:
        """The true table without the bases that were not found."""
        return self.true.with_miniatures(tuple(m for m in self.true.miniatures if m.id in self.found))


def main(
    folder: Path,
    names: Annotated[list[str] | None, typer.Argument(help="pictures without their ending, all when left out")] = None,
    pairs: Annotated[int, typer.Option(help="asked about, of each picture and kind")] = 120,
    show_wrong: Annotated[bool, typer.Option(help="print every answer that is sure and wrong")] = False,
) -> None:
    tallies: dict[str, Counter[str]] = {kind: Counter() for kind, _, _ in QUESTIONS}
    for twins in read_twins(folder, names, PRIME):
        asked = track(_ask_both(twins, pairs), description=twins.name, total=len(QUESTIONS) * pairs)
        for kind, measured, true in asked:
            _count(tallies[kind], twins, measured, true)
            if show_wrong and _is_wrong(measured, true):
                _print_wrong(twins, measured, true)
    print(
        f"\n{'':20s}{'asked':>7s}{'too close':>11s}{'no facing':>11s}{'sure':>7s}{'wrong':>7s}{'of the sure':>13s}"
        f"{'by unseen':>11s}"
    )
    for kind, tally in (*tallies.items(), ("all", sum(tallies.values(), Counter()))):
        _print_row(kind, tally)


def _ask_both(twins: Twins, count: int) -> Iterator[tuple[str, Verdict, Verdict]]:
    at = {m.id: m.at_mm for m in twins.true.miniatures}
    pairs = [(a, b) for a in twins.found for b in twins.found if a != b and math.dist(at[a], at[b]) <= PAIRS_MM]
    for kind, roles, more in QUESTIONS:
        for pair in random.Random(f"{twins.name} {kind}").sample(pairs, min(count, len(pairs))):
            query = QUERY.validate_python({"kind": kind, **dict(zip(roles, pair, strict=True)), **more})
            yield kind, ask(twins.measured, query), ask(twins.true, query)


def _count(tally: Counter[str], twins: Twins, measured: Verdict, true: Verdict) -> None:
    if true.status != "decided" or measured.status != "decided":
        tally["undecided"] += 1
        return
    tally["asked"] += 1
    if measured.answer is Answer.TOO_CLOSE:
        tally["no facing" if measured.needs else "too close"] += 1
    else:
        tally["sure"] += 1
        if _is_wrong(measured, true):
            tally["wrong"] += 1
            tally["unseen"] += ask(twins.true_of_found, QUERY.validate_python(true.query)).answer is measured.answer


def _is_wrong(measured: Verdict, true: Verdict) -> bool:
    both = measured.status == true.status == "decided"
    return both and measured.answer is not Answer.TOO_CLOSE and measured.answer is not true.answer


def _print_row(kind: str, tally: Counter[str]) -> None:
    asked, sure = max(1, tally["asked"]), max(1, tally["sure"])
    print(
        f"{kind:20s}{tally['asked']:7d}{tally['too close'] / asked:11.2%}{tally['no facing'] / asked:11.2%}"
        f"{tally['sure']:7d}{tally['wrong']:7d}{tally['wrong'] / sure:13.2%}{tally['unseen']:11d}"
    )


def _print_wrong(twins: Twins, measured: Verdict, true: Verdict) -> None:
    said = {k: v for k, v in measured.query.items() if k not in ("kind", "range_in", "attack")}
    own, real = (v.margin_deg if v.margin_mm is None else v.margin_mm for v in (measured, true))
    sigma = measured.sigma_deg if measured.sigma_mm is None else measured.sigma_mm
    print(f"  {twins.name} {measured.kind} {said}: {measured.answer} by {own} +- {sigma}, but {true.answer} by {real}")
    print(f"    blockers {measured.blockers} against {true.blockers}")


def read_twins(folder: Path, names: list[str] | None, game: Game) -> Iterator[Twins]:
    """The tables of the pictures that show such a game, each located once."""
    with tempfile.TemporaryDirectory() as room:
        for path in sorted(folder.glob("*.jpg")):
            truth = json.loads(path.with_suffix(".json").read_text())
            is_wanted = path.stem in names if names else not game.is_ranked or any("unit" in m for m in truth["models"])
            if is_wanted:
                twins = _twins(path.stem, truth, _locate_picture(path, truth, folder, Path(room), game.edition), game)
                print(f"{twins.name}: {len(twins.found)} of {len(twins.true.miniatures)} bases found")
                yield twins


def _locate_picture(path: Path, truth: Drawn, folder: Path, room: Path, edition: str) -> Drawn:
    """The state that the command line finds in a picture, by a camera calibrated from its own views of a board."""
    views = folder / "charuco" / truth["camera_name"]
    camera, layout, state = (room / f"{name}.json" for name in (truth["camera_name"], "layout", path.stem))
    if not camera.exists():
        pictures = map(str, sorted(views.glob("view*.jpg")))
        _run_tableside("calibrate", "camera", *pictures, "--board", views / "board.json", "-o", camera)
    described = {"table_mm": truth["table_mm"], "fiducials": truth["fiducials"], "terrain": _terrain_of(truth)}
    layout.write_text(json.dumps(described))
    _run_tableside("locate", path, "--camera", camera, "--layout", layout, "--edition", edition, "-o", state)
    located: Drawn = json.loads(state.read_text())
    return located


def _run_tableside(*words: object) -> None:
    program = [sys.executable, "-c", "from api.cli import main; main()"]
    subprocess.run([*program, *map(str, words)], check=True, capture_output=True)


def _terrain_of(truth: Drawn) -> list[Drawn]:
    ground = []
    for k, piece in enumerate(truth["terrain"]):
        known = {"id": f"t{k}", "kind": _SURFACES.get(piece["kind"], piece["kind"])}
        known |= {"polygon_mm": piece["polygon_mm"], "height_mm": piece["height_mm"]}
        ground.append(known | ({"surface_mm": piece["height_mm"]} if piece["kind"] in _STOOD_ON else {}))
    return ground


def _twins(name: str, truth: Drawn, located: Drawn, game: Game) -> Twins:
    """Both tables with the same cards, sides and ground, so that only what was measured differs."""
    ground = [piece | {"kind": game.kinds.get(piece["kind"], piece["kind"])} for piece in _terrain_of(truth)]
    facts: Drawn = {"terrain": ground} | game.facts
    partner = _match_bases(truth["models"], located["miniatures"])
    units = list(dict.fromkeys(model["unit"] for model in truth["models"] if "unit" in model))
    cards = [game.card | _side_of(model, units, game) for model in truth["models"]]
    known = {id_: cards[k] for k, id_ in partner.items()}
    stray = game.card | ({"side": "red"} if game.is_ranked else {})
    seen = [row | known.get(row["id"], stray) for row in located["miniatures"]]
    true = [
        _true_row(k, model) | {"id": partner.get(k, f"missed {k}")} | cards[k]
        for k, model in enumerate(truth["models"])
    ]
    size = {"width_mm": truth["table_mm"][0], "depth_mm": truth["table_mm"][1]}
    exact = {
        "edition": game.edition,
        "table": size,
        "miniatures": true,
        "units": [{"id": unit} for unit in units],
    } | facts
    measured = TableState.model_validate(located | facts | {"miniatures": seen})
    return Twins(name, measured, TableState.model_validate(exact), tuple(partner.values()))


def _side_of(model: Drawn, units: list[str], game: Game) -> Drawn:
    """Units belong to the sides in turn."""
    side = (units.index(model["unit"]) if "unit" in model else 0) % 2 if game.is_ranked else model["side"]
    return {} if side is None else {"side": ("red", "blue")[side]}


def _match_bases(models: list[Drawn], located: list[Drawn]) -> dict[int, str]:
    """Which true base each measured one is: the nearest pairs first."""
    pairs = [(math.dist(m["centre_mm"], row["at_mm"]), k, row["id"]) for k, m in enumerate(models) for row in located]
    partner: dict[int, str] = {}
    for apart, k, id_ in sorted(pairs):
        if apart <= _SAME_MM and k not in partner and id_ not in partner.values():
            partner[k] = id_
    return partner


def _true_row(k: int, model: Drawn) -> Drawn:
    base = {key: model["base"][key] for key in ("shape", "diameter_mm", "width_mm", "depth_mm") if key in model["base"]}
    place = {
        "at_mm": model["centre_mm"],
        "facing_deg": math.degrees(model["facing_rad"]),
        "elevation_mm": model["z_mm"],
    }
    return {"base": base} | place | {key: model[key] for key in ("unit", "rank", "file") if key in model}


if __name__ == "__main__":
    run(main)
