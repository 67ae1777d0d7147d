"""Record pictures: what the camera saw, with what decides drawn over it, as figures that need no other file."""

import base64
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

import numpy as np

from api.evidence.pictures import witness_lines
from api.evidence.schemas import Evidence, EvidenceFacts, PictureFacts
from api.evidence.store import is_unaltered
from api.rulings.tape_measurement import TAPE_SECTION
from calibration.arrays import Floats
from calibration.camera_model.projection import project
from models.verdict import Verdict, Witness

Place = Callable[[Floats], Floats]  # (N, 3) table mm to (N, 2) px
_COLOURS = {"blocked": "#ff6a55", "hit": "#ff6a55", "blocker": "#ff6a55", "arc": "#b9adff", "limit": "#ffd34d"}
_CLEAR = "#4be08a"


def evidence_figures(evidence: Evidence | None, path: Callable[[str], Path]) -> str:
    """The figures of a ruling's evidence, and when and through which lens they were taken; none where none is kept."""
    if evidence is None:
        return '<p class="soft">No picture was kept with this ruling.</p>'
    files = {name: path(name) for name in evidence.names()}
    wrong = [name for name, file in files.items() if not file.is_file() or not is_unaltered(file)]
    if wrong:
        return f'<p class="wrong"><strong>Evidence is missing or was altered:</strong> {escape(", ".join(wrong))}</p>'
    facts = EvidenceFacts.model_validate_json(files[evidence.facts].read_bytes())
    seen = facts.picture
    if seen is None or evidence.table is None:
        return '<p class="soft">No camera picture of that moment is kept.</p>'
    crop = "" if evidence.crop is None else _crop_figure(files[evidence.crop], seen, facts.verdict)
    return crop + _table_figure(files[evidence.table], seen, facts.verdict) + _caption(facts, seen, evidence)


def _crop_figure(file: Path, seen: PictureFacts, verdict: Verdict) -> str:
    box = seen.crop_px
    assert box is not None
    corner = np.array([box.left_px, box.top_px]) - 0.5

    def place(at_mm: Floats) -> Floats:
        return np.asarray(project(at_mm, camera=seen.camera, pose=seen.pose) - corner)

    taped = any(reason.source.section == TAPE_SECTION for reason in verdict.because)
    title = "What the camera saw; the line is as long as the tape says" if taped else "What the camera saw"
    return _figure(file, (box.width_px, box.height_px), verdict, place, title, "crop")


def _table_figure(file: Path, seen: PictureFacts, verdict: Verdict) -> str:
    scale, depth_mm = seen.table_px_per_mm, seen.table_mm[1]

    def place(at_mm: Floats) -> Floats:
        return np.column_stack([at_mm[:, 0] * scale, (depth_mm - at_mm[:, 1]) * scale])

    size = (round(seen.table_mm[0] * scale), round(depth_mm * scale))
    return _figure(file, size, verdict, place, "The whole table, straightened", "whole")


def _figure(file: Path, size_px: tuple[int, int], verdict: Verdict, place: Place, title: str, name: str) -> str:
    width, height = size_px
    picture = base64.b64encode(file.read_bytes()).decode()
    lines = "".join(_draw_witness(one, place, max(size_px)) for one in verdict.witness)
    return (
        f'<figure class="{name}"><figcaption>{title}</figcaption><svg viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{title}, with what decides"><image width="{width}" height="{height}" '
        f'href="data:image/jpeg;base64,{picture}"/>{lines}</svg></figure>'
    )


def _draw_witness(witness: Witness, place: Place, long_px: int) -> str:
    """Each line twice: a dark rim under the colour, so that it is seen on every mat."""
    colour, wide = _COLOURS.get(witness.role, _CLEAR), long_px / 180
    drawn = []
    for line in witness_lines(witness):
        points = place(np.array([(x, y, z) for (x, y), z in zip(line, _heights(witness, len(line)), strict=True)]))
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points if np.isfinite((x, y)).all())
        drawn += [
            f'<polyline points="{text}" fill="none" stroke="{stroke}" stroke-width="{width:.1f}" '
            f'stroke-linecap="round" stroke-linejoin="round"/>'
            for stroke, width in (("#101010", 1.9 * wide), (colour, wide))
        ]
    return "".join(drawn)


def _heights(witness: Witness, count: int) -> Iterable[float]:
    known = witness.z_mm or ()
    return known if len(known) == count else (known[0] if known else 0.0,) * count


def _caption(facts: EvidenceFacts, seen: PictureFacts, evidence: Evidence) -> str:
    heldout = "" if seen.camera.heldout_px is None else f", {seen.camera.heldout_px:.2f} px on views it had not seen"
    says = (
        f"Taken {seen.t_s:.1f} s into the recording. Lens: {seen.camera.model}, {seen.camera.rms_px:.2f} px{heldout}. "
        f"Pose: measured {seen.pose_age_s:.1f} s before, {seen.pose.rms_px:.2f} px, {seen.pose.rms_mm:.2f} mm on the "
        f"table. Tableside {facts.software}, detector {facts.weights_sha256[:12]}."
    )
    hashes = "".join(f"<li><code>{escape(name)}</code></li>" for name in evidence.names())
    return (
        f'<p class="soft">{escape(says)}</p><details><summary>Files</summary><ul class="hashes">{hashes}</ul></details>'
    )
