"""WARMACHINE Errata & FAQ: its rules are not written yet; every question is refused with that reason."""

from referee.edition import Edition

EDITION = Edition(
    id="warmachine-mk1",
    book="WARMACHINE Errata & FAQ",
    too_close="Agree, or let a die decide.",
)
