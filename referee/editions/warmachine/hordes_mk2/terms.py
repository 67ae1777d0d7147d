"""Terms: what HORDES Mk II sets where the books of its family differ, and what it leaves in no doubt."""

from referee.editions.warmachine.hordes_mk2 import blockers
from referee.editions.warmachine.mk1_and_mk2 import terms
from referee.editions.warmachine.mk1_and_mk2.charges import charge
from referee.editions.warmachine.mk1_and_mk2.line_of_sight import reasons
from referee.editions.warmachine.mk1_and_mk2.terrain import terrain_class

TERMS = terms.shared_terms(
    why_ignored=blockers.why_ignored,
    looked_past_reasons=reasons.LOOKED_PAST,
    counts_as=terrain_class.counts_as,
    charge_clauses=charge.charge_clauses,
)
SETTLED = terms.SETTLED
