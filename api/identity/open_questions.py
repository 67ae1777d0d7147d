"""Open questions: what the timeline asked about identities and nobody has settled yet."""

from collections.abc import Sequence

from api.errors import NoSuchQuestion
from api.identity.schemas import OpenQuestion
from models.errors import BadInput
from models.timeline import EventLine


class OpenQuestions:
    """Questions that are open, gathered from the event lines as they come."""

    def __init__(self) -> None:
        self._open: dict[str, OpenQuestion] = {}

    def all(self) -> tuple[OpenQuestion, ...]:
        return tuple(self._open.values())

    def note_event(self, line: EventLine) -> None:
        """One more line: a question, its answer, or a renaming that concerns others."""
        if line.question is None:
            return
        if line.type == "unsure" and len(line.namings) > 1:
            facts = {name: getattr(line, name) for name in OpenQuestion.model_fields if name != "since_s"}
            self._open[line.question] = OpenQuestion(since_s=line.since_s or line.t_s, **facts)
            return
        self._open.pop(line.question, None)
        names = line.renamed or {}
        self._open = {id_: _rename_ids(question, names) for id_, question in self._open.items()}

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


def _rename_ids(question: OpenQuestion, names: dict[str, str]) -> OpenQuestion:
    def now(id_: str | None) -> str | None:
        return None if id_ is None else names.get(id_, id_)

    namings = [{"ids": [now(id_) for id_ in each.ids], "probability": each.probability} for each in question.namings]
    return OpenQuestion.model_validate(
        question.model_dump() | {"ids": [now(id_) for id_ in question.ids], "namings": namings}
    )
