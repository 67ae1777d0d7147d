"""The record of a ruling as a page to print: plain HTML that needs nothing else, so that it can be kept and mailed."""

from collections.abc import Iterable
from datetime import datetime
from html import escape
from string import Template

from api.rulings.ruling import SAID, Ruling
from models.state import TableState
from models.units import MM_PER_INCH
from models.verdict import Measured, Reason, Verdict
from referee.picture import draw

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
  .withdrawn { border-style: dashed; } figure { margin: 0; } svg { width: 100%; height: auto; max-height: 24rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0; }
  dt { color: #4a525c; } dd { margin: 0; } ul { margin: 0; padding-left: 1.1rem; } li { margin: .25rem 0; }
  cite { font-style: normal; color: #4a525c; } .sign { display: flex; gap: 1.5rem; margin-top: 3.2rem; }
  .sign span { flex: 1; border-top: 1px solid #16191d; padding-top: .3rem; color: #4a525c; }
  button { font: inherit; padding: .7rem 1.2rem; border-radius: .5rem; border: 2px solid #16191d; background: #fff; }
  @page { margin: 16mm; }
  @media print { button { display: none; } body { padding: 0; } section { break-inside: avoid; } }
</style>
<body>
<header><h1>Ruling $n</h1><p>$head</p></header>
<main>
$ruled
<section><h2>What was asked</h2>$asked</section>
<figure aria-label="The table, with what decides">$picture</figure>
<section><h2>What was found</h2>$found</section>
$tape
<section><h2>Why</h2>$why</section>
$readings
</main>
<p class="sign"><span>Judge</span><span>$a_side</span><span>$b_side</span></p>
<p><button onclick="print()">Print</button></p>
</body>
</html>
""")


def record_of(ruling: Ruling, state: TableState, *, title: str) -> str:
    """The page. `state` is the table that the verdict is about."""
    verdict = ruling.line.verdict
    assert verdict is not None, "a ruling is about a verdict"
    when = datetime.fromtimestamp(ruling.at_s).astimezone()
    head = f"{title}, {when:%d %B %Y, %H:%M:%S %Z}. {verdict.edition}. State {verdict.state_id}."
    return _PAGE.substitute(
        title=escape(f"Ruling {ruling.n}, {title}"),
        n=ruling.n,
        head=escape(head),
        ruled=_ruled(ruling),
        asked=f"<p>{escape(_asked(ruling))}</p>",
        picture=draw(state, verdict),
        found=_facts(_found(ruling, verdict)),
        tape=_section("Camera and tape", _facts(_beside(ruling))),
        why=_list(_because(reason) for reason in verdict.because),
        readings=_section("House rules and other readings", _list(_readings(verdict))),
        a_side="Player A",
        b_side="Player B",
    )


def _ruled(ruling: Ruling) -> str:
    stands = f" &middot; {escape(ruling.stands)}" if ruling.stands else ""
    reason = f"<p>{escape(ruling.reason)}</p>" if ruling.reason else ""
    withdrawn = f"<p><strong>Withdrawn:</strong> {escape(ruling.withdrawn)}</p>" if ruling.withdrawn else ""
    name = "ruled withdrawn" if ruling.withdrawn else "ruled"
    return f'<div class="{name}"><b>{SAID[ruling.decision]}{stands}</b>{reason}{withdrawn}</div>'


def _asked(ruling: Ruling) -> str:
    return f"{ruling.line.title}. A is {ruling.a} ({ruling.about.pair.a}), B is {ruling.b} ({ruling.about.pair.b})."


def _found(ruling: Ruling, verdict: Verdict) -> Iterable[tuple[str, str]]:
    yield "Answer", ruling.line.headline or "none"
    if verdict.capped:
        yield "Margin", "nothing on the table can flip it"
    elif verdict.margin_mm is not None:
        yield "Margin", f"{_signed(verdict.margin_mm)}{_doubt(verdict.sigma_mm)}"
    elif verdict.margin_deg is not None:
        doubt = f" \u00b1 {verdict.sigma_deg:.1f}" if verdict.sigma_deg else ""
        yield "Margin", f"{verdict.margin_deg:+.1f}{doubt} degrees"
    if verdict.probability is not None:
        yield "Probability of yes", f"{100 * verdict.probability:.1f} %"
    for one in verdict.measured:
        yield one.name.capitalize(), _length(one)
    if verdict.blockers:
        yield "Blocked by", ", ".join(verdict.blockers)
    if verdict.advice:
        yield "The book's advice", verdict.advice


def _beside(ruling: Ruling) -> Iterable[tuple[str, str]]:
    if ruling.compared is None:
        return
    yield "Camera", _length(ruling.compared.camera)
    yield "Tape", f"{ruling.compared.tape_mm / MM_PER_INCH:.2f} in ({ruling.compared.tape_mm:.1f} mm)"
    both = ruling.compared.can_both_be_right
    yield "Together", "They agree as well as a tape can tell." if both else "They cannot both be right."


def _because(reason: Reason) -> str:
    source = reason.source
    place = ", ".join(filter(None, (source.book, source.section, f"p. {source.page}" if source.page else None)))
    effect = f" <em>{escape(reason.effect)}</em>" if reason.effect else ""
    return f"{escape(reason.says)}{effect} <cite>({escape(place)})</cite>"


def _readings(verdict: Verdict) -> Iterable[str]:
    yield from (escape(f"{key}: {reading}") for key, reading in verdict.house_rules.items())
    for flip in verdict.flips_under:
        yield escape(f"Would be {flip.answer.value} with {flip.house_rule} read as {flip.reading}")


def _length(one: Measured) -> str:
    return f"{one.value_mm / MM_PER_INCH:.2f} in ({one.value_mm:.1f}{_doubt(one.sigma_mm)[:-3]} mm)"


def _signed(mm: float) -> str:
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
