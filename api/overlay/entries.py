"""Journal entries of the stream's overlay: how it is fed."""

from typing import Literal

from api.journal.entry import Entry
from api.overlay.schemas import Production


class ProductionSet(Entry):
    """The stream is fed like this from now on."""

    type: Literal["produced"] = "produced"
    production: Production
