"""`tableside annotate`: a recording with all that the table showed drawn over it, to be published."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from api.cli.invocation import film_bar, wants_json
from api.cli.locate import make_tracker
from api.cli.table_options import (
    CameraFile,
    CatalogueFile,
    EditionName,
    LayoutFile,
    PoseFile,
    pose_in_use,
    read_edition,
)
from api.storage.files import load
from models.camera import Camera
from models.errors import BadCamera, BadFile, BadInput

if TYPE_CHECKING:
    from api.games.film import VideoFacts
    from api.games.film_timeline import FilmTimeline
    from vision.tracking.tracker import Tracker

GamePath = Annotated[
    Path | None, typer.Option(help="The game that was played: its --data folder or GAME.zip. Names and rulings.")
]
Begins = Annotated[float, typer.Option("--begins", help="Seconds into the game's recording at which the video begins.")]


def annotate_recording(
    context: typer.Context,
    video: Annotated[Path, typer.Argument(help="The recording: a video file.")],
    camera: CameraFile,
    output: Annotated[Path, typer.Option("-o", "--output", help="The film to write, an MP4 file.")],
    layout: LayoutFile = None,
    pose: PoseFile = None,
    edition: EditionName = None,
    catalogue: CatalogueFile = None,
    game: GamePath = None,
    begins_s: Begins = 0.0,
) -> None:
    """Draw outlines, names, facings, movement trails and rulings over a recording, sound kept."""
    from vision.capture.video_file import require_pyav

    require_pyav("writing a film", field="video", value=str(video))
    from api.games.film import look_at_video, write_film
    from api.games.film_drawing import FilmPainter
    from api.games.film_timeline import sides_of

    choice = None if edition is None else read_edition(edition)
    began_s, lens = time.monotonic(), load(Camera, camera, error=BadCamera)
    tracker, facts = (
        make_tracker(lens, layout, pose_in_use(context, pose), choice, catalogue),
        look_at_video(video, lens),
    )
    _check_output(video, output)
    with film_bar() as bar:
        film = _make_timeline(video, tracker, facts, game, begins_s, bar)
        painter = FilmPainter(lens, sides=sides_of(table for _, table in film.tables))
        task = bar.add_task("drawing ", total=facts.frames)
        count = write_film(
            video, output, lambda image, t_s: painter.paint(image, film.at(t_s)), advance=lambda: bar.advance(task)
        )
    took_s, plays_s = time.monotonic() - began_s, count / facts.fps
    summary = {"film": str(output), "frames": count, "plays_s": round(plays_s, 2), "took_s": round(took_s, 2)}
    summary |= {"moves": len(film.trails), "rulings": len(film.cards)}
    text = f"{output}: {plays_s:.1f} s, {len(film.trails)} moves, {len(film.cards)} rulings, in {took_s:.1f} s"
    typer.echo(json.dumps(summary) if wants_json(context) else text)


def _make_timeline(
    video: Path, tracker: "Tracker", facts: "VideoFacts", game: Path | None, begins_s: float, bar: Progress
) -> "FilmTimeline":
    from api.games.archive import open_game
    from api.games.film_sources import read_game, watch_recording
    from api.server.journal_entries import ENTRY_CLASSES
    from vision.capture.sources import Frame, read_frames

    task = bar.add_task("watching", total=facts.frames)

    def frames() -> Iterator[Frame]:
        for frame in read_frames(video):
            yield frame
            bar.advance(task)

    if game is not None and not game.exists():
        raise BadFile(f"{game}: no such file or folder", field="game", value=str(game))
    film = watch_recording(frames(), tracker, fps=facts.fps)
    if game is None:
        return film
    with open_game(game) as (ours, _):
        return read_game(ours, film, begins_s=begins_s, entry_classes=ENTRY_CLASSES)


def _check_output(video: Path, output: Path) -> None:
    """Raises: BadInput, BadFile."""
    if output.suffix.lower() != ".mp4":
        raise BadInput(f"{output} is no .mp4: the film is H.264 in MP4", field="output", value=str(output))
    if output.resolve() == video.resolve():
        raise BadInput("the film would be written over the recording", field="output", value=str(output))
    if not output.parent.is_dir():
        raise BadFile(f"{output.parent}: no such folder", field="output", value=str(output))
