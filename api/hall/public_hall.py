"""Public hall: what a projector, spectators and the stream may know of the hall."""

from api.hall.rounds import Pairing, Round
from api.hall.schemas import HallAffairs
from models.frozen import Frozen


class PublicHall(Frozen):
    """The newest round that has begun, with its pairings; null: none has."""

    now_s: float
    event: str
    round: Round | None
    pairings: tuple[Pairing, ...]
    featured: int | None
    featured_address: str | None
    delay_s: float


def show_hall(affairs: HallAffairs, *, event: str, now_s: float, featured_address: str | None) -> PublicHall:
    """What anybody may see of the hall. What only one player has entered is nobody's result yet."""
    begun = [view for view in affairs.rounds if view.round.state != "ready"]
    newest = begun[-1] if begun else None
    return PublicHall(
        now_s=now_s,
        event=event,
        round=newest.round if newest else None,
        pairings=tuple(one.changed(told={}) for one in newest.pairings) if newest else (),
        featured=affairs.settings.featured,
        featured_address=featured_address,
        delay_s=affairs.settings.delay_s,
    )
