"""List schemas: what a phone is told of the lists and sends of them."""

from typing import Literal

from pydantic import Field

from api.setups.schemas import ArmyList, ExpectedMiniature
from models.frozen import Frozen
from models.vocabulary import Id


class NamingEntry(Frozen):
    """An entry of a list: who bears its name, who left the table with it, and who is proposed to be it."""

    expected: ExpectedMiniature
    named: tuple[Id, ...]
    fallen: tuple[Id, ...] = Field((), description="bore the name and are on the table no more")
    proposed: tuple[Id, ...] = ()
    is_sure: bool = Field(False, description="whether no other entry may be those, and they are as many as are missing")


class ListNaming(Frozen):
    """The lists, their entries, and what does not go together."""

    lists: tuple[ArmyList, ...]
    entries: tuple[NamingEntry, ...]
    notes: tuple[str, ...] = ()


class NamingChoice(Frozen):
    """These are that entry."""

    entry: Id
    ids: tuple[Id, ...] = Field(min_length=1, max_length=200)


class NamingChoices(
    Frozen, json_schema_extra={"examples": [{"choices": [{"entry": "long-gunners", "ids": ["m3", "m7"]}]}]}
):
    """Several entries as one step."""

    choices: tuple[NamingChoice, ...] = Field(min_length=1, max_length=60)


class ListAnswer(Frozen, json_schema_extra={"examples": [{"entry": "lancer", "asks": "base", "choice": "40 mm"}]}):
    """What a player says to a question of a list."""

    entry: Id
    asks: Literal["card", "count", "base"]
    choice: str = Field(min_length=1, max_length=200)
