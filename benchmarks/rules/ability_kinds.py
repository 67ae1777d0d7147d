"""Ability kinds: which questions each word on a card may change, as its book says it, and the page that lists them.

    python -m benchmarks.rules.ability_kinds [--write]

`ability_effects` finds by random tables what a word does change; a test holds that to this list, and that each pair
of the list is shown by such a table or by one made by hand.
"""

import argparse
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/editions/ability-kinds.md"
_HEAD = """\
# Which questions an ability may change

<!-- Written by benchmarks/rules/ability_kinds.py; run it with --write after changing its table. -->

For each word on a card the questions whose answers it may change in each book, and where the book has its rule. A word
changes more than it names: who flies moves farther, and so charges farther. What random tables show of it is on
[What abilities change](abilities.md).
"""
Row = tuple[str, str]
_MELEE = "melee-range engaged in-melee in-melee-group in-melee-penalty free-strike target-legal attack-modifiers"
_GUNFIGHTER = (
    f"{_MELEE} charge threat-range frenzy power-attack aim assault may-shoot may-move move channel combined-ranged"
)
_WAYS = "move charge slam trample threat-range cross-obstacle frenzy"
_UNSEEN = "los intervening charge spell-target target-legal channel power-attack slam throw"
_LEADS = (
    "formation command-range combined-melee combined-ranged charge-unit regroup-move placement target-legal may-shoot "
    "deployment reinforcements"
)
_MARCHES = "move march may-move hazard"
_CHARGES = "charge charge-chance frenzy flee pursuit stand-and-shoot"
_CALM = "morale-check flee"
_LOOSE = (
    "move may-move reform hazard may-shoot shooters attack-modifiers ranked-formation combat-bonuses combat-contacts "
    "steadfast join-unit los cover charge bolt-thrower impact-attacks rally one-inch-rule stand-and-shoot "
    "charge-chance random-move"
)
# Word: where the book has its rule, and the questions it may change.
DECLARED: dict[str, dict[str, Row]] = {
    "warmachine-prime": {
        "advance-deployment": ("Advantages, p. 17", "deployment"),
        "ambush": ("Cephalyx Theme Force, p. 94", "reinforcements"),
        "amphibious": ("Advantages, p. 17", "move charge slam trample threat-range cover los intervening water"),
        "arc-node": ("Channeling, p. 73", "channel"),
        "assault": ("Assault, p. 52", "assault may-shoot may-move target-legal"),
        "battlegroup-commander": ("Battlegroup Commander, p. 68", "take-control control-area"),
        "cavalry": ("Cavalry, p. 75", "impact-attacks"),
        "combined-melee-attack": ("Combined Melee Attacks, p. 65", "combined-melee"),
        "combined-ranged-attack": ("Combined Ranged Attacks, p. 65", "combined-ranged"),
        "eyeless-sight": ("Advantages, p. 17", "los cover stealth attack-modifiers combined-ranged intervening"),
        "flight": ("Advantages, p. 17", f"{_WAYS} los hazard placement"),
        "gunfighter": ("Gunfighter, p. 52", _GUNFIGHTER),
        "incorporeal": ("Advantages, p. 17", f"{_WAYS} {_UNSEEN} push free-strike"),
        "jack-marshal": ("'Jack Marshals, p. 74", "take-control control-area command-range"),
        "massive": ("Massive, p. 67", "push slam throw"),
        "officer": ("Unit Commanders: Leaders & Officers, p. 62", _LEADS),
        "parry": ("Advantages, p. 17", "free-strike trample"),
        "pathfinder": ("Advantages, p. 17", _WAYS),
        "stealth": ("Advantages, p. 17", f"stealth combined-ranged {_UNSEEN}"),
    },
    "hordes-mk2": {
        "advance-deployment": ("Two-Player Games", "deployment"),
        "arc-node": ("Channeling", "channel"),
        "battlegroup-commander": ("Battlegroups", "take-control control-area"),
        "cavalry": ("Cavalry", "impact-attacks move charge los melee-range target-legal"),
        "combined-melee-attack": ("Combined Melee Attacks", "combined-melee"),
        "combined-ranged-attack": ("Combined Ranged Attacks", "combined-ranged"),
        "construct": ("Advantages", _CALM),
        "eyeless-sight": ("Advantages", "los cover stealth attack-modifiers combined-ranged intervening"),
        "fearless": ("Advantages", _CALM),
        "gunfighter": ("Gunfighter", f"{_GUNFIGHTER} morale-check"),
        "incorporeal": ("Advantages", f"{_WAYS} {_UNSEEN} push"),
        "jack-marshal": ("Advantages", "take-control control-area command-range"),
        "light-cavalry": ("Light Cavalry", "impact-attacks move charge los melee-range target-legal"),
        "officer": ("Officers", f"{_LEADS} promotion"),
        "pathfinder": ("Advantages", _WAYS),
        "ride-by": ("Ride-by Attack", "move"),
        "standard-bearer": ("Standard Bearer", "promotion"),
        "stealth": ("Advantages", f"stealth combined-ranged {_UNSEEN}"),
    },
    "warmachine-mk1": {
        "arc-node": ("Channeling, Prime p. 56", "channel"),
        "assault": ("General Rules, Q/A on Assault", "assault may-shoot may-move target-legal"),
        "cavalry": ("Cavalry Charge, Superiority p. 12", "impact-attacks move"),
        "combined-melee-attack": ("Combined Melee Attacks, Prime p. 49", "combined-melee"),
        "combined-ranged-attack": ("Combined Ranged Attacks, Prime p. 49", "combined-ranged"),
        "fearless": ("Fearless Models", _CALM),
        "incorporeal": ("Incorporeal", f"{_WAYS} {_UNSEEN} flee push"),
        "jack-marshal": ("Battlegroups", "take-control control-area command-range"),
        "ride-by": ("Ride-by Attack", "move"),
        "stealth": ("Stealth", f"stealth combined-ranged {_UNSEEN}"),
    },
    "warhammer-9": {
        "ambushers": ("Ambushers, p. 57", "reinforcements"),
        "aquatic": (
            "Aquatic, p. 57",
            "move combat-bonuses steadfast attack-modifiers shooters reform one-inch-rule charge pursuit flee",
        ),
        "barding": ("Barding, p. 77", f"{_MARCHES} {_CHARGES} reform reinforcements may-shoot"),
        "breath-weapon": ("Breath Weapons, p. 57", "may-shoot spray-hits"),
        "construct": ("Animated Constructs, p. 57", f"{_MARCHES} {_CALM} stand-and-shoot join-unit"),
        "ethereal": (
            "Ethereal, p. 58",
            f"{_MARCHES} {_CALM} join-unit one-inch-rule charge charge-chance reform pursuit stand-and-shoot",
        ),
        "expendable": ("Expendable, p. 58", "morale-check join-unit"),
        "fast-cavalry": ("Fast Cavalry, p. 58", "move may-move reform may-shoot shooters"),
        "fear": ("Fear, p. 59", "morale-check combat-bonuses command-range march"),
        "fly": ("Fly, p. 59", f"{_MARCHES} {_CHARGES} {_LOOSE}"),
        "frenzy": ("Frenzy, p. 60", f"{_CALM} frenzy reform"),
        "hover": ("Hover, p. 60", f"{_MARCHES} {_CHARGES} {_LOOSE}"),
        "immunity-psychology": ("Immunity, p. 61", _CALM),
        "impact-hits": ("Impact Hits, p. 61", "impact-attacks"),
        "mixed-unit": ("Mixed Unit, p. 62", f"{_MARCHES} {_CHARGES} join-unit command-range"),
        "random-movement": ("Random Movement, p. 64", f"{_MARCHES} {_CHARGES} reform random-move"),
        "scouts": ("Scouts, p. 64", "charge deployment"),
        "sentient": ("Sentient, p. 65", "command-range"),
        "skirmishers": ("Skirmishers, p. 65", _LOOSE),
        "stomp": ("Stomp, p. 66", "impact-attacks"),
        "strider": ("Strider, p. 66", "move hazard reform charge charge-chance flee stand-and-shoot"),
        "stubborn": ("Stubborn, p. 66", "steadfast morale-check combat-bonuses"),
        "swiftstride": ("Swiftstride, p. 67", _CHARGES),
        "terror": ("Terror, p. 67", "morale-check combat-bonuses command-range march"),
        "towering": (
            "Towering, p. 67",
            "command-range cover los charge frenzy shooters stand-and-shoot attack-modifiers",
        ),
        "unbreakable": ("Unbreakable, p. 67", f"{_CALM} join-unit"),
        "vanguard": ("Vanguard, p. 67", "move"),
    },
}


def page() -> str:
    """The page of docs/ with a table a book."""
    lines = [_HEAD]
    for book, words in DECLARED.items():
        lines += [f"\n## {book}\n", "| ability | rule | questions |", "|---|---|---|"]
        lines += [f"| `{word}` | {where} | {', '.join(sorted(set(kinds.split())))} |" for word, (where, kinds) in
                  sorted(words.items())]  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print how many pairs each book declares, or write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true")
    print({book: sum(len(set(kinds.split())) for _, kinds in words.values()) for book, words in DECLARED.items()})
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
