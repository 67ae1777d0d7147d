"""Card file: a faction's cards as TOML that a player reads and writes, inches and millimetres as printed."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import Field, ValidationError

from api.errors import BadCards
from api.rosters.base_sizes import read_base_size
from api.storage.files import read_bytes
from api.storage.untrusted_files import parse_toml
from models.base import Base, RectBase, RoundBase
from models.frozen import Frozen
from models.profile import Card, CardFaction, MeleeWeapon, Profile, RangedWeapon
from models.roster import RosterList
from models.vocabulary import Ability, EditionId, MiniatureType, NotNegative, Positive, Role, WeaponRule

MOST_BYTES = 4 * 1024 * 1024
SHIPPED = Path(__file__).parent / "marches.toml"


class WrittenMelee(Frozen):
    name: str = Field(min_length=1, max_length=80)
    reach: NotNegative = 0.5
    rules: tuple[WeaponRule, ...] = ()


class WrittenRanged(Frozen):
    name: str = Field(min_length=1, max_length=80)
    range: Positive | tuple[NotNegative, Positive] | None = None
    spray: Positive | None = None
    aoe: Positive | None = None
    rof: int | None = None
    rules: tuple[WeaponRule, ...] = ()


class WrittenCard(Frozen):
    """A card in the words of the file."""

    id: str = Field(min_length=1, max_length=120)
    name: str = Field(min_length=1, max_length=80)
    also: tuple[str, ...] = ()
    base: str | None = None
    type: MiniatureType | None = None
    role: tuple[Role, ...] = ()
    unit: int = Field(1, ge=1, le=500)
    arc: Literal[180, 360] | None = None
    speed: NotNegative | None = None
    command: NotNegative | None = None
    control: NotNegative | None = None
    strength: float | None = None
    defence: float | None = None
    bs: float | None = None
    leadership: float | None = None
    wounds: float | None = None
    abilities: tuple[Ability, ...] = ()
    melee: tuple[WrittenMelee, ...] = ()
    ranged: tuple[WrittenRanged, ...] = ()
    source: str | None = None


class WrittenFaction(Frozen):
    faction: str = Field(min_length=1, max_length=80)
    edition: EditionId | None = None
    source: str | None = None
    card: tuple[WrittenCard, ...] = Field(min_length=1, max_length=2000)


def read_cards(raw: bytes, name: str) -> CardFaction:
    """The faction in this file. Raises: BadCards naming the card and the field."""
    if len(raw) > MOST_BYTES:
        raise BadCards(f"{name} is larger than {MOST_BYTES // 2**20} MB.", field="file", value=name)
    try:
        content = parse_toml(raw.decode("utf-8-sig"))
        written = WrittenFaction.model_validate(content)
    except ValidationError as wrong:
        raise _name_fault(wrong, content, name) from wrong
    except (ValueError, RecursionError) as wrong:  # broken TOML and broken UTF-8
        raise BadCards(f"{name} is no TOML: {wrong}", field="file", value=name) from wrong
    twice = sorted(id_ for id_, n in Counter(card.id for card in written.card).items() if n > 1)
    if twice:
        raise BadCards(f"{name} holds two cards {twice[0]!r}.", field="card.id", value=twice[0])
    cards = tuple(_read_card(card, written, name) for card in written.card)
    return CardFaction(faction=written.faction, edition=written.edition, source=written.source, cards=cards)


def _read_card(card: WrittenCard, faction: WrittenFaction, name: str) -> Card:
    read = read_base_size(card.base, faction.edition) if card.base is not None else None
    if read is not None and read.base is None:
        raise BadCards(f"{name}: base {card.base!r} of {card.name}: {read.why}.", field="base", value=card.base)
    profile = Profile(
        spd_in=card.speed, cmd_in=card.command, control_stat=card.control, strength=card.strength,
        defence=card.defence, bs=card.bs, ld=card.leadership, wounds=card.wounds, abilities=card.abilities,
        melee=tuple(MeleeWeapon(name=w.name, reach_in=w.reach, rules=w.rules) for w in card.melee),
        ranged=tuple(_read_ranged(weapon) for weapon in card.ranged),
    )  # fmt: skip
    return Card(
        id=card.id, name=card.name, also=card.also, base=None if read is None else read.base, type=card.type,
        role=card.role, unit_size=card.unit, front_arc_deg=card.arc, command_in=card.command, profile=profile,
        source=card.source or faction.source,
    )  # fmt: skip


def _read_ranged(weapon: WrittenRanged) -> RangedWeapon:
    rng = weapon.range if weapon.range is not None else weapon.spray
    return RangedWeapon(
        name=weapon.name, rng_in=rng, spray_in=weapon.spray, aoe_in=weapon.aoe, rof=weapon.rof, rules=weapon.rules
    )


def _name_fault(wrong: ValidationError, content: dict[str, Any], name: str) -> BadCards:
    first = wrong.errors(include_url=False)[0]
    path = list(first["loc"])
    whose = ""
    if len(path) > 1 and path[0] == "card" and isinstance(path[1], int):
        card = content["card"][path[1]] if isinstance(content.get("card"), list) else None
        whose = f" of {card.get('name') or card.get('id')}" if isinstance(card, dict) else ""
        path = path[2:]
    field = ".".join(str(part) for part in path)
    value = first["input"] if isinstance(first["input"], str | int | float | bool | None) else None
    return BadCards(f"{name}: {field or 'the file'}{whose}: {first['msg']}", field=field, value=value)


def cards_of(roster: RosterList, *, source: str) -> CardFaction:
    """The cards that a list brings: each kind of model once, with the numbers that stand in it."""
    cards: dict[str, Card] = {}
    for unit in roster.units:
        for model in unit.models:
            id_ = model.entry_id or model.name
            if id_ in cards:
                continue
            also = (unit.name,) if unit.name != model.name else ()
            cards[id_] = Card(
                id=id_[:120], name=model.name[:80], also=also, base=model.base, type=model.type, role=model.role,
                unit_size=min(500, unit.count), command_in=unit.command_in, profile=model.profile, source=source,
            )  # fmt: skip
    faction = (roster.name or roster.game or "Imported")[:80]
    return CardFaction(faction=faction, edition=roster.edition, source=source, cards=tuple(cards.values()))


def write_cards(faction: CardFaction) -> str:
    """The file, as a player would write it; `read_cards` reads the same from it."""
    head = {"faction": faction.faction, "edition": faction.edition, "source": faction.source}
    lines = [*_pairs(head)]
    for card in faction.cards:
        lines += ["", "[[card]]", *_pairs(_written(card, faction.source))]
        for kind, weapons in (("melee", _write_melee(card)), ("ranged", _write_ranged(card))):
            for weapon in weapons:
                lines += ["", f"  [[card.{kind}]]", *(f"  {line}" for line in _pairs(weapon))]
    return "\n".join(lines) + "\n"


def _written(card: Card, source: str | None) -> dict[str, Any]:
    numbers = card.profile
    command_in = card.command_in if card.command_in is not None else numbers.cmd_in
    return {
        "id": card.id, "name": card.name, "also": card.also, "base": write_base(card.base), "type": card.type,
        "role": card.role, "unit": card.unit_size if card.unit_size > 1 else None, "arc": card.front_arc_deg,
        "speed": numbers.spd_in, "command": command_in, "control": numbers.control_stat,
        "strength": numbers.strength, "defence": numbers.defence, "bs": numbers.bs, "leadership": numbers.ld,
        "wounds": numbers.wounds, "abilities": numbers.abilities,
        "source": card.source if card.source != source else None,
    }  # fmt: skip


def _write_melee(card: Card) -> Iterator[dict[str, Any]]:
    for weapon in card.profile.melee:
        yield {"name": weapon.name, "reach": weapon.reach_in, "rules": weapon.rules}


def _write_ranged(card: Card) -> Iterator[dict[str, Any]]:
    for gun in card.profile.ranged:
        spray = gun.spray_in
        rng = None if spray is not None and gun.rng_in == spray else gun.rng_in
        yield {"name": gun.name, "range": rng, "spray": spray, "aoe": gun.aoe_in, "rof": gun.rof, "rules": gun.rules}


def write_base(base: Base | None) -> str | None:
    """The size as printed: `30`, `25x50`, `42x75 oval`."""
    if base is None:
        return None
    if isinstance(base, RoundBase):
        return f"{base.diameter_mm:g} round"
    return f"{base.width_mm:g}x{base.depth_mm:g}{'' if isinstance(base, RectBase) else ' oval'}"


def _pairs(fields: dict[str, Any]) -> Iterator[str]:
    for key, value in fields.items():
        if value is not None and value != ():
            yield f"{key} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(part) for part in value)}]"
    if isinstance(value, int | float):
        return f"{value:g}"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(ch if ch.isprintable() else f"\\u{ord(ch):04x}" for ch in escaped) + '"'


@dataclass(frozen=True)
class CardLibrary:
    """Factions in the order in which they were given: of two cards of one id the first counts."""

    factions: tuple[CardFaction, ...] = ()

    def cards(self) -> tuple[Card, ...]:
        cards: dict[str, Card] = {}
        for faction in self.factions:
            for card in faction.cards:
                cards.setdefault(card.id, card)
        return tuple(cards.values())


def library_folder(folder: Path | None = None) -> Path:
    return folder if folder is not None else Path(platformdirs.user_data_dir("tableside", appauthor=False)) / "cards"


def load_library(folder: Path | None = None) -> CardLibrary:
    """The user's cards, then the shipped ones. Raises: BadFile, BadCards naming the file."""
    return load_files([*sorted(library_folder(folder).glob("*.toml")), SHIPPED])


def load_files(files: Iterable[Path]) -> CardLibrary:
    """The factions in these files. Raises: BadFile, BadCards."""
    return CardLibrary(tuple(read_cards(read_bytes(path), path.name) for path in files))
