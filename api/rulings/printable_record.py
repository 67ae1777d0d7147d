"""Printable record of a ruling: plain HTML that needs nothing else, so that it can be kept and mailed."""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from html import escape
from importlib.metadata import version
from pathlib import Path
from string import Template

import numpy as np

from api.corrections.schemas import CorrectionStep
from api.corrections.told_facts import FactKind
from api.evidence.pictures import witness_lines
from api.evidence.schemas import Evidence, EvidenceFacts, PictureFacts
from api.evidence.store import is_unaltered
from api.journal.chain import Head
from api.rulings.reevaluation import TAPE_SECTION
from api.rulings.schemas import DECISION_WORDS, KeptVerdict, Ruling
from api.seats.permissions import CALLED, Player, Seat
from api.seats.schemas import Score
from calibration.arrays import Floats
from calibration.camera_model.projection import project
from models.parsing import parse_query
from models.state import TableState
from models.unit_conversion import MM_PER_INCH
from models.verdict import MeasuredLength, Reason, Verdict, Witness
from models.vocabulary import Id
from referee import EDITIONS
from referee.verdicts.svg import draw

Called = Callable[[Seat], str]
Place = Callable[[Floats], Floats]  # (N, 3) table mm to (N, 2) px
_COLOURS = {"blocked": "#ff6a55", "hit": "#ff6a55", "blocker": "#ff6a55", "arc": "#b9adff", "limit": "#ffd34d"}
_CLEAR = "#4be08a"

MOST_NAMED = 6
_UNITS = {"in": " in", "mm": " mm", "deg": "\u00b0"}
_PAGE = Template("""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
  :root { font: 400 15px/1.45 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; color: #16191d; background: #fff; }
  body { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
  header { border-bottom: 3px solid #16191d; padding-bottom: .6rem; }
  h1 { font-size: 1.7rem; margin: 0; letter-spacing: -.01em; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
  header p, .soft { color: #4a525c; margin: .2rem 0 0; }
  .ruled { border: 2px solid #16191d; border-radius: .5rem; padding: .8rem 1rem; margin: 1.2rem 0; }
  .ruled b { font-size: 1.35rem; display: block; } .ruled p { margin: .4rem 0 0; }
  .withdrawn { border-style: dashed; } figure { margin: 0 0 .8rem; break-inside: avoid; }
  svg { display: block; width: 100%; height: auto; max-height: 24rem; }
  details { margin-bottom: .8rem; }
  figcaption { color: #4a525c; margin: 0 0 .2rem; } .wrong { border: 2px solid #b3261e; padding: .6rem .8rem; }
  .whole svg { max-height: 20rem; } code, .proof { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0; }
  dt { color: #4a525c; } dd { margin: 0; } ul { margin: 0; padding-left: 1.1rem; } li { margin: .25rem 0; }
  cite { font-style: normal; color: #4a525c; } .sign { display: flex; gap: 1.5rem; margin-top: 3.2rem; }
  .sign span { flex: 1; border-top: 1px solid #16191d; padding-top: .3rem; color: #4a525c; }
  button { font: inherit; padding: .7rem 1.2rem; border-radius: .5rem; border: 2px solid #16191d; background: #fff; }
  @page { margin: 16mm; }
  @media print { button { display: none; } body { padding: 0; } section { break-inside: avoid; }
    .crop svg { max-height: 84mm; } .whole svg { max-height: 68mm; }
    section:has(figure) { break-inside: auto; } details { display: none; } }
</style>
<body>
$forged
<header><h1>$heading</h1><p>$head</p></header>
<main>
$ruled
<section><h2>What was asked</h2>$asked</section>
$seen
<figure aria-label="The table, with what decides">$picture</figure>
<section><h2>What was found</h2>$found</section>
$tape
$told
<section><h2>Why</h2>$why</section>
$readings
</main>
$proof
<p class="sign"><span>Judge</span><span>$a_side</span><span>$b_side</span></p>
<p><button onclick="print()">Print</button></p>
</body>
</html>
""")


def printable_record(
    ruling: Ruling | KeptVerdict,
    state: TableState,
    *,
    title: str,
    seen: str = "",
    journal_head: Head | None = None,
    called: Called = CALLED.__getitem__,
    score: Score | None = None,
    forged: str | None = None,
    key: str | None = None,
    witnesses: Sequence[str] = (),
    completion: CorrectionStep | None = None,
) -> str:
    """The page. `state` is the table that the verdict is about, `seen` the figures of what the camera saw,
    `journal_head` where the journal ends as this is printed, `called` how those in the seats were called then,
    `score` how the game stood, `forged` why the game is not what the table wrote, `key` what signs it, in words,
    `witnesses` who countersigned it, and `completion` the newest step that called the table complete by then."""
    verdict = ruling.line.verdict
    assert verdict is not None, "a ruling is about a verdict"
    when = datetime.fromtimestamp(ruling.at_s).astimezone()
    roll = _roll_row(state, completion, called)
    head = f"{title}, {when:%d %B %Y, %H:%M:%S %Z}. {_rulebook(verdict)}. State {verdict.state_id}."
    return _PAGE.substitute(
        title=escape(f"{_heading(ruling)}, {title}"),
        heading=escape(_heading(ruling)),
        head=escape(head),
        ruled=_decision_rows(ruling, called),
        asked=f"<p>{escape(_question_rows(ruling, verdict))}</p>{_standing_row(score, called)}",
        seen=_section("What was seen", seen),
        picture=draw(state, verdict),
        found=_facts(_finding_rows(ruling, verdict)),
        tape=_section("Camera and tape", _facts(_tape_rows(ruling))),
        told=_section("What was said", _facts([roll, *_told_rows(ruling, state, called)])),
        why=_list(_source_row(reason) for reason in verdict.because),
        readings=_section("House rules and other readings", _list(_house_rule_rows(verdict))),
        proof=_proof(ruling, journal_head, key, witnesses),
        forged="" if forged is None else f'<p class="wrong" role="alert"><b>{escape(forged)}</b></p>',
        a_side=_signature("player-a", called),
        b_side=_signature("player-b", called),
    )


def _heading(ruling: Ruling | KeptVerdict) -> str:
    return f"Ruling {ruling.number}" if isinstance(ruling, Ruling) else f"Kept verdict {ruling.n}"


def _proof(ruling: Ruling | KeptVerdict, head: Head | None, key: str | None, witnesses: Sequence[str]) -> str:
    """What to compare the journal with: a line after this one may be its end by now."""
    if head is None:
        return ""
    says = f"Line {ruling.n} of the event log. Its head when this was printed: {head}. Tableside {version('tableside')}"
    signed = "" if key is None else f" The table's key: {escape(key)}."
    signed += "" if not witnesses else f" Countersigned by {escape(', '.join(witnesses))}."
    return f'<section class="proof"><p>{says}{signed}</p></section>'


def _signature(player: Player, called: Called) -> str:
    """Where this player signs, with the name where it is known."""
    name = called(player)
    return escape(CALLED[player] if name == CALLED[player] else f"{CALLED[player]}, {name}")


def _decision_rows(ruling: Ruling | KeptVerdict, called: Called) -> str:
    if isinstance(ruling, KeptVerdict):
        return f'<div class="ruled"><b>{escape(called(ruling.by))} keeps this</b><p>Nothing is decided by it.</p></div>'
    stands = f" &middot; {escape(ruling.stands)}" if ruling.stands else ""
    reason = f"<p>{escape(ruling.reason)}</p>" if ruling.reason else ""
    withdrawn = f"<p><strong>Withdrawn:</strong> {escape(ruling.withdrawn)}</p>" if ruling.withdrawn else ""
    name = "ruled withdrawn" if ruling.withdrawn else "ruled"
    ended = f"<p>Held until: {escape(ruling.ends)}</p>" if ruling.ends else ""
    return f'<div class="{name}"><b>{DECISION_WORDS[ruling.decision]}{stands}</b>{reason}{withdrawn}{ended}</div>'


def _question_rows(ruling: Ruling | KeptVerdict, verdict: Verdict) -> str:
    pair = ruling.about.pair
    terms = "".join(f", {term}" for term in _terms(verdict))
    return f"{ruling.line.title}{terms}. A is {ruling.a} ({pair.a}), B is {ruling.b} ({pair.b})."


def _terms(verdict: Verdict) -> Iterable[str]:
    """What the question gives beside those it names: "range 10 in"."""
    query = parse_query(verdict.query)
    named = {"kind", *(field for field, _ in query.names())}
    for field, value in verdict.query.items():
        if field in named or isinstance(value, bool) or not isinstance(value, str | int | float):
            continue
        name, _, unit = field.rpartition("_")
        unit = _UNITS.get(unit, "")
        label = (name if unit else field).replace("_", " ")
        yield f"{label} {value if isinstance(value, str) else f'{value:g}'}{unit}"


def _standing_row(score: Score | None, called: Called) -> str:
    """The round, and how the game stood; nothing where nobody had said."""
    if score is None:
        return ""
    round_ = "" if score.round is None else f"Round {score.round}. "
    points = ", ".join(f"{called(player)} {points:g}" for player, points in sorted(score.points.items()))
    return f'<p class="soft">{escape(f"{round_}{points}.")}</p>'


def _finding_rows(ruling: Ruling | KeptVerdict, verdict: Verdict) -> Iterable[tuple[str, str]]:
    yield "Answer", ruling.line.headline or "none"
    if verdict.capped:
        yield "Margin", "nothing on the table can flip it"
    elif verdict.margin_mm is not None:
        yield "Margin", f"{_format_signed(verdict.margin_mm)}{_doubt(verdict.sigma_mm)}"
    elif verdict.margin_deg is not None:
        doubt = f" \u00b1 {verdict.sigma_deg:.1f}" if verdict.sigma_deg else ""
        yield "Margin", f"{verdict.margin_deg:+.1f}{doubt} degrees"
    if verdict.probability is not None:
        yield "Probability of yes", f"{100 * verdict.probability:.1f} %"
    for length in verdict.measured:
        yield length.name.capitalize(), _length(length)
    if verdict.blockers:
        yield "Blocked by", ", ".join(verdict.blockers)
    if verdict.advice:
        yield "The book's advice", verdict.advice


def _tape_rows(ruling: Ruling | KeptVerdict) -> Iterable[tuple[str, str]]:
    if isinstance(ruling, KeptVerdict) or ruling.compared is None:
        return
    yield "Camera", _length(ruling.compared.camera)
    tape = ruling.compared
    yield "Tape", f"{tape.tape_mm / MM_PER_INCH:.2f} in ({tape.tape_mm:.1f}{_doubt(tape.tape_sigma_mm)})"
    both = ruling.compared.can_both_be_right
    yield "Together", "They agree as well as a tape can tell." if both else "They cannot both be right."


_TOLD_WORDS: Mapping[FactKind, str] = {
    "facing": "Facing",
    "card": "Numbers of the card",
    "state": "State",
    "contact": "Whether they touch",
    "thing": "Laid on the table",
    "removal": "Taken off the table",
    "base": "Base placed by hand",
    "rules": "What is played",
}


def _roll_row(state: TableState, completion: CorrectionStep | None, called: Called) -> tuple[str, str]:
    """Whether every base was known, who said so and when; else how many were missing."""
    if not state.called.is_complete or completion is None:
        missing = len(state.called.missing)
        more = f": {missing} expected {'base' if missing == 1 else 'bases'} stood nowhere" if missing else ""
        return "Roll call", f"the table was not called complete{more}"
    when = datetime.fromtimestamp(completion.at_s).astimezone()
    agreed = "" if completion.agreed_by is None else f", agreed by {called(completion.agreed_by)}"
    return "Roll call", f"complete: called so by {called(completion.by)}, {when:%H:%M:%S %Z}{agreed}"


def _told_rows(ruling: Ruling | KeptVerdict, state: TableState, called: Called) -> Iterable[tuple[str, str]]:
    """What no camera saw: of whom, who said it, and who agreed."""
    for fact in ruling.told:
        ids = ", ".join(_name_of(state, id_) for id_ in fact.ids[:MOST_NAMED])
        more = f" and {len(fact.ids) - MOST_NAMED} more" if len(fact.ids) > MOST_NAMED else ""
        is_settled = fact.by not in ("player-a", "player-b")
        agreed = "nobody agreed" if fact.agreed_by is None else f"agreed by {called(fact.agreed_by)}"
        yield _TOLD_WORDS[fact.kind], f"{ids}{more}: said by {called(fact.by)}{'' if is_settled else f', {agreed}'}"


def _name_of(state: TableState, id_: Id) -> str:
    name = getattr(state.by_id.get(id_), "name", None)
    return f"{name} ({id_})" if name else id_


def _source_row(reason: Reason) -> str:
    source = reason.source
    place = ", ".join(filter(None, (source.book, source.section, f"p. {source.page}" if source.page else None)))
    effect = f" <em>{escape(reason.effect)}</em>" if reason.effect else ""
    return f"{escape(reason.says)}{effect} <cite>({escape(place)})</cite>"


def _house_rule_rows(verdict: Verdict) -> Iterable[str]:
    yield from (escape(f"{key}: {reading}") for key, reading in verdict.house_rules.items())
    for turned in verdict.flips_if:
        answer = f"Would be {turned.answer.value}" if turned.answer is not None else "Something else"
        margin = f"{turned.margin_mm:+.1f}{_doubt(turned.sigma_mm)}"
        yield escape(f"{answer} if it turns {turned.whether}: {margin}, which it does in {turned.probability:.0%}")
    for flip in verdict.flips_under:
        yield escape(f"Would be {flip.answer.value} with {flip.house_rule} read as {flip.reading}")


def _length(length: MeasuredLength) -> str:
    return f"{length.value_mm / MM_PER_INCH:.2f} in ({length.value_mm:.1f}{_doubt(length.sigma_mm)[:-3]} mm)"


def _format_signed(mm: float) -> str:
    return f"{mm / MM_PER_INCH:+.2f} in, {mm:+.1f}"


def _doubt(sigma_mm: float | None) -> str:
    return f" \u00b1 {sigma_mm:.1f} mm" if sigma_mm else " mm"


def _facts(pairs: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(said)}</dd>" for name, said in pairs)
    return f"<dl>{rows}</dl>" if rows else ""


def _list(items: Iterable[str]) -> str:
    rows = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{rows}</ul>" if rows else ""


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>" if content else ""


def _rulebook(verdict: Verdict) -> str:
    """The rulebook; of one written as data name, version and the hash of its file."""
    book = verdict.book
    return EDITIONS[verdict.edition].book if book is None else f"{book.title()} (sha256 {book.sha256})"


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
    lines = "".join(_draw_witness(shape, place, max(size_px)) for shape in verdict.witness)
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
