"""The questions of the timeline that nobody has settled yet."""

from collections.abc import Sequence

from api.errors import NoSuchQuestion
from models.errors import BadInput
from models.frozen import Frozen
from models.timeline import EventLine, Naming
from models.words import Id, NotNegative, Point


class Open(Frozen):
    """Since then nobody can tell who stands at these places; each naming is one way it may be, the likeliest first."""

    question: Id
    since_s: NotNegative
    ids: tuple[Id, ...]
    places_mm: tuple[Point, ...]
    namings: tuple[Naming, ...]


class OpenQuestions:
    """Kept from the lines as they are told."""

    def __init__(self) -> None:
        self._open: dict[str, Open] = {}

    def all(self) -> tuple[Open, ...]:
        return tuple(self._open.values())

    def take(self, line: EventLine) -> None:
        """One more line: a question, its answer, or a renaming that concerns others."""
        if line.question is None:
            return
        if line.type == "unsure" and len(line.namings) > 1:
            facts = {name: getattr(line, name) for name in Open.model_fields if name != "since_s"}
            self._open[line.question] = Open(since_s=line.since_s or line.t_s, **facts)
            return
        self._open.pop(line.question, None)
        names = line.renamed or {}
        self._open = {id_: _renamed(one, names) for id_, one in self._open.items()}

    def forget(self) -> None:
        """Another recording begins: nobody can answer for the last."""
        self._open.clear()

    def check(self, question: str, ids: Sequence[str]) -> None:
        """Raises: NoSuchQuestion; BadInput when this is none of the namings."""
        if question not in self._open:
            raise NoSuchQuestion(f"{question!r} is not asked, or settled by now", field="question", value=question)
        namings = [naming.ids for naming in self._open[question].namings]
        if tuple(ids) not in namings:
            known = "; ".join(", ".join(str(id_) for id_ in naming) for naming in namings)
            raise BadInput(f"{question} asks for one of: {known}", field="ids", value=", ".join(ids))


def _renamed(one: Open, names: dict[str, str]) -> Open:
    def now(id_: str | None) -> str | None:
        return None if id_ is None else names.get(id_, id_)

    namings = [{"ids": [now(id_) for id_ in each.ids], "probability": each.probability} for each in one.namings]
    return Open.model_validate(one.model_dump() | {"ids": [now(id_) for id_ in one.ids], "namings": namings})
