"""Explanations: lengths in words a player can check with a tape, names instead of ids."""

from models.unit_conversion import MM_PER_INCH
from models.verdict import CAPPED_MM, Member, Reason
from models.vocabulary import Point
from referee.rules.exact_table import ExactTable

_EXACT_MM = 1e-6
_TAPE_MM = 0.05  # two lengths that differ by less read alike
_NEARNESS = ("mm (", "degrees", "limit", "touches", "equally high", ":")  # words in which rules say how near it was


def format_length(mm: float) -> str:
    """A length as the table has it, and in inches."""
    return f"{mm:.1f} mm ({mm / MM_PER_INCH:.2f} in)"


def format_margin(mm: float, *, spare: str = "to spare", short: str = "too far") -> str:
    """By how much a limit is kept or missed."""
    if abs(mm) < _EXACT_MM:
        return "exactly at the limit"
    return f"{format_length(abs(mm))} {spare if mm > 0 else short}"


def name_of(table: ExactTable, place: str | Point | None) -> str:
    """What players call it: its name, else its id; a bare point is the point."""
    if not isinstance(place, str):
        return "the point"
    miniature = table.miniatures.get(place)
    return place if miniature is None or miniature.name is None else miniature.name


def format_names(table: ExactTable, ids: tuple[str, ...] | list[str]) -> str:
    """Several names in a row, or nobody."""
    called = [name_of(table, id_) for id_ in ids]
    return "nobody" if not called else called[0] if len(called) == 1 else f"{', '.join(called[:-1])} and {called[-1]}"


def explain_short_way(
    table: ExactTable, rule: Reason, mover: str, *, wanted_mm: float, went_mm: float, stopped_by: str | None = None
) -> Reason:
    """The rule, and in words that somebody went less far, or farther, than was wanted, where that is so."""
    if abs(went_mm - wanted_mm) <= _TAPE_MM:
        return rule
    stopper = "the table's edge" if (stopped_by or "").startswith("edge:") else name_of(table, stopped_by)
    why = "" if stopped_by is None else f": {stopper} stops it"
    went = f"{name_of(table, mover)} goes {format_length(went_mm)} of {format_length(wanted_mm)}{why}."
    return with_effect(table, rule, went)


def with_effect(table: ExactTable, rule: Reason, effect: str) -> Reason:
    """The rule together with what it came to here; on a perturbed table nobody reads it."""
    return rule if table.margins_only else Reason(source=rule.source, says=rule.says, effect=effect)


def describe_arc_depth(table: ExactTable, viewer: str, target: str | Point, depth_mm: float) -> str:
    """How the target lies to the line that parts the viewer's front from its back."""
    target_name, whose = name_of(table, target), name_of(table, viewer)
    if depth_mm >= CAPPED_MM:
        return f"All round {whose} is front."
    if not isinstance(target, str):
        where = "ahead of" if depth_mm >= 0 else "behind"
        return f"The point lies {format_length(abs(depth_mm))} {where} the arc line of {whose}."
    if abs(depth_mm) < _EXACT_MM:
        return f"{target_name} just touches the arc line of {whose}."
    if depth_mm > 0:
        return f"{target_name} reaches {format_length(depth_mm)} ahead of the arc line of {whose}."
    return f"All of {target_name} lies behind the arc line of {whose}, by {format_length(-depth_mm)}."


def add_margin_in_words(
    because: tuple[Reason, ...], margin_mm: float | None, members: tuple[Member, ...], *, in_degrees: bool
) -> tuple[Reason, ...]:
    """The reasons, the first of them with the margin in words where no rule has said how near it was."""
    if not because or margin_mm is None or abs(margin_mm) >= CAPPED_MM or any(_says_how_near(r) for r in because):
        return because
    first, *others = because
    nearest = next((m.id for m in members if m.margin_mm == margin_mm), None)
    whom = "" if nearest is None else f"{nearest} is nearest to the limit: "
    margin_text = _format_degrees(margin_mm) if in_degrees else format_margin(margin_mm, short="short of it")
    effect = " ".join(filter(None, (first.effect, _end_sentence(f"{whom}{margin_text}"))))
    return (Reason(source=first.source, says=first.says, effect=effect), *others)


def _says_how_near(reason: Reason) -> bool:
    return reason.effect is not None and any(word in reason.effect for word in _NEARNESS)


def _format_degrees(angle_deg: float) -> str:
    return f"{abs(angle_deg):.1f} degrees {'to spare' if angle_deg >= 0 else 'too many'}"


def _end_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
