"""Identity questions: who is who where it could not be seen, and what an answer changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.errors import BadInput
from models.vocabulary import Point


@dataclass(frozen=True)
class Question:
    """Question: since `since_s` these places bear the first of these namings; any of them may be right."""

    id: str
    since_s: float
    places_mm: tuple[Point, ...]
    namings: tuple[tuple[str, ...], ...]
    probabilities: tuple[float, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Everybody who may be concerned."""
        return tuple(sorted({id_ for naming in self.namings for id_ in naming}))

    def renames_by(self, answer: Sequence[str]) -> dict[str, str]:
        """Renames that follow if this naming is right: each wrong name and the right one. Nobody is lost by it.

        Raises: BadInput when it is none of the namings.
        """
        if tuple(answer) not in self.namings:
            known = "; ".join(", ".join(naming) for naming in self.namings)
            raise BadInput(f"{self.id} asks for one of: {known}", field="ids", value=", ".join(answer))
        told = self.namings[0]
        renamed = {said: right for said, right in zip(told, answer, strict=True) if said != right}
        for id_ in set(renamed.values()) - set(renamed):  # a name that was thought to be elsewhere gives its place up
            end = id_
            sources = {right: said for said, right in renamed.items()}
            while end in sources:
                end = sources[end]
            renamed[id_] = end
        return dict(sorted(renamed.items()))

    def with_renames(self, renamed: Mapping[str, str]) -> "Question":
        """The same question after other renames."""
        namings = tuple(tuple(renamed.get(id_, id_) for id_ in naming) for naming in self.namings)
        return Question(self.id, self.since_s, self.places_mm, namings, self.probabilities)
