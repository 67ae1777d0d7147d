"""Clauses of a "may I", as a verdict lists them."""

from collections.abc import Mapping

from pydantic import JsonValue


def listed(clauses: Mapping[str, float], *, zero_is_met: bool = True) -> list[JsonValue]:
    """Each condition by its name, with its own answer and margin."""
    return [
        {"clause": name, "answer": "yes" if mm > 0 or (zero_is_met and mm == 0) else "no", "margin_mm": mm}
        for name, mm in clauses.items()
    ]
