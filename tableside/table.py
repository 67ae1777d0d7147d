"""Table: a measured table that can be asked and drawn; `watch` follows one over time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.state import TableState

if TYPE_CHECKING:
    from api.answers.miniature_sheet import MiniatureSheet
    from api.answers.pair_sheet import Sheet
    from models.hint import Hint
    from models.timeline import TimelineLine
    from models.verdict import Verdict

File = Path | str


class Picture(str):
    """An SVG document; notebooks show it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: File) -> None:
        """Write it to a file."""
        Path(path).write_text(self, encoding="utf-8")


@dataclass(frozen=True)
class Table:
    """A table as it stands: the state, and what may be asked of it. Lengths are millimetres, x right, y away."""

    state: TableState

    @classmethod
    def from_state(cls, state: TableState | Mapping[str, Any] | File, *, edition: str | None = None) -> Table:
        """The table of a state, of its JSON object, or of the file that holds it.

        `edition`: a rulebook's id or file in place of the state's own. Raises: BadState, BadFile, BadBook.
        """
        from models.parsing import parse_state

        if isinstance(state, Mapping):
            state = parse_state(json.dumps(state))
        elif not isinstance(state, TableState):
            from api.storage.files import read_bytes

            state = parse_state(read_bytes(Path(state)))
        if edition is None:
            return cls(state)
        from api.cli.table_options import read_edition

        return cls(read_edition(edition).judge(state))

    @classmethod
    def from_photo(
        cls,
        picture: File,
        *,
        camera: File,
        layout: File | None = None,
        pose: File | None = None,
        edition: str | None = None,
        hints: Sequence[Hint] = (),
        detector: str | None = None,
    ) -> Table:
        """The table that a photograph shows: each base with its place, size, facing and covariance.

        `layout` says where fiducials lie, or `pose` where the camera was (`tableside photo` writes one). `edition`: a
        rulebook's id or file, whose base sizes are then in play. `detector`: that of a plug-in, by its name. Raises:
        BadFile, BadInput, TableNotVisible.
        """
        from api.cli.locate import locate_calibrated
        from api.cli.table_options import read_edition, sizes_of

        choice = None if edition is None else read_edition(edition)
        state = locate_calibrated(
            Path(picture), camera=Path(camera), layout=_path(layout), pose=_path(pose), sizes=sizes_of(choice, None),
            hints=hints, detector=detector,
        )  # fmt: skip
        return cls(state if choice is None else choice.judge(state))

    def ask(self, kind: str, *names: str, **fields: Any) -> Verdict:
        """The verdict on a question of this kind; `names` are the things it is about, in the order of its fields.

        `table.ask("los", "a", "b")` is `table.ask("los", a="a", b="b")`: ids, or what players call them. Raises:
        BadQuery naming the field; UnknownThing.
        """
        from api.answers.named_things import resolve_names
        from models.errors import BadQuery
        from models.parsing import parse_query
        from models.queries import QUERIES
        from referee import ask

        places = QUERIES[kind].PLACES if kind in QUERIES else ()
        if kind in QUERIES and len(names) > len(places):
            raise BadQuery(f"{kind} names {', '.join(places)}, and no more", field=kind, value=names[len(places)])
        named = dict(zip(places, names, strict=False))
        return ask(self.state, resolve_names(self.state, parse_query({"kind": kind, **named, **fields})))

    def sheet(self, a: str, b: str | None = None, **fields: Any) -> Sheet | MiniatureSheet:
        """Everything that matters between two miniatures, both ways; of one alone, what is around it."""
        from api.answers.miniature_sheet import MiniatureQuestion, miniature_sheets
        from api.answers.named_things import resolve_id
        from api.answers.pair_sheet import Pair, pair_sheet
        from models.errors import BadQuery
        from models.parsing import parse
        from referee import ask

        first = resolve_id(self.state, a, field="a")
        if b is None:
            question = parse(MiniatureQuestion, json.dumps({"who": first, **fields}), error=BadQuery)
            return list(miniature_sheets(self.state, question, ask=ask))[-1]
        pair = {"a": first, "b": resolve_id(self.state, b, field="b"), **fields}
        return pair_sheet(self.state, parse(Pair, json.dumps(pair), error=BadQuery), ask=ask)

    def draw(self, verdict: Verdict | None = None) -> Picture:
        """The table as SVG; with a verdict, the part that decides it and its witness."""
        from models.verdict import Verdict
        from referee.verdicts.svg import draw

        whole = Verdict(
            kind="table", edition=self.state.edition, status="measured", state_id=self.state.state_id, query={}
        )
        return Picture(draw(self.state, whole if verdict is None else verdict))

    def _repr_svg_(self) -> str:
        return self.draw()

    def to_json(self) -> str:
        """The state as `tableside locate` writes it."""
        return self.state.model_dump_json(exclude_none=True)


def watch(
    source: File, *, camera: File, layout: File | None = None, pose: File | None = None, edition: str | None = None
) -> Iterator[TimelineLine]:
    """Moments of a recording as they are seen: a state whenever the table has settled, and what happened between.

    `source`: a video or a folder of pictures. Raises: BadFile, BadInput.
    """
    from api.cli.locate import judged_by, make_tracker
    from api.cli.table_options import read_edition
    from api.storage.files import load
    from models.camera import Camera
    from models.errors import BadCamera
    from vision.capture.sources import CorruptFrameFilter, read_frames

    choice = None if edition is None else read_edition(edition)
    lens = load(Camera, Path(camera), error=BadCamera)
    tracker = make_tracker(lens, _path(layout), _path(pose), choice, None)
    intact = CorruptFrameFilter()
    for frame in read_frames(Path(source)):
        if intact.accepts(frame):
            yield from (judged_by(choice, line) for line in tracker.update(frame).lines)


def _path(file: File | None) -> Path | None:
    return None if file is None else Path(file)
