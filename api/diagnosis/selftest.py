"""Self-test: the installed program on the recording that comes with it, from pixels to a verdict and a page."""

import math
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

from api.camera.protocol import Job
from api.diagnosis.findings import Finding, bad, good
from api.live.hub import Hub
from api.server.app import create_app
from api.server.serve import StreamEndingServer, server_config
from models.base import RoundBase
from models.queries import Distance, Los
from models.state import TableState
from models.timeline import StateLine
from models.verdict import Verdict
from referee import ask
from vision.capture.sources import read_frames
from vision.tracking.tracker import Tracker

_FRAMES = 24  # of the recording, in which the table is at rest
_FEWEST, _NEAR_MM, _PATIENCE_S = 10, 0.01, 30.0
_ADVICE = "install Tableside again; when that does not help, send `tableside doctor --bundle`"


@dataclass
class _Timer:
    took_s: float = 0.0


@contextmanager
def _timed() -> Iterator[_Timer]:
    timer, began = _Timer(), time.perf_counter()
    yield timer
    timer.took_s = time.perf_counter() - began


def run_selftest(job: Job) -> Iterator[Finding]:
    """State, verdicts and page, each as soon as it is known."""
    with _timed() as timer:
        state = _settled_state(job)
    if state is None or len(state.miniatures) < _FEWEST:
        count = 0 if state is None else len(state.miniatures)
        yield bad("state", f"{count} bases in the recording, {_FEWEST} or more stand there", _ADVICE)
        return
    yield good("state", f"{len(state.miniatures)} bases, {timer.took_s:.1f} s for {_FRAMES} pictures")
    with _timed() as timer:
        verdicts = _ask_all(state)
    yield _judge(state, verdicts, timer.took_s)
    yield _open_page()


def _settled_state(job: Job) -> TableState | None:
    tracker = Tracker(job.camera, job.layout, edition=job.edition, catalogue=job.catalogue())
    state = None
    for frame in islice(read_frames(Path(job.source)), _FRAMES):
        for line in tracker.update(frame).lines:
            state = line.state if isinstance(line, StateLine) else state
    return state


def _ask_all(state: TableState) -> list[tuple[str, str, Verdict, Verdict]]:
    """Distance and sight of the first with everybody else."""
    first, *others = (miniature.id for miniature in state.miniatures)
    return [
        (first, other, ask(state, Distance(a=first, b=other)), ask(state, Los(viewer=first, target=other)))
        for other in others
    ]


def _judge(state: TableState, asked: list[tuple[str, str, Verdict, Verdict]], took_s: float) -> Finding:
    """Distances of round bases are held against plain arithmetic, sights must be told with a witness and a source."""
    known = {miniature.id: miniature for miniature in state.miniatures}
    for a, b, distance, sight in asked:
        bases = known[a].base, known[b].base
        if all(isinstance(base, RoundBase) for base in bases):
            radii = sum(base.radius_mm for base in bases if isinstance(base, RoundBase))
            plain = math.dist(known[a].at_mm, known[b].at_mm) - radii
            measured = distance.value.get("distance_mm")
            if not isinstance(measured, float) or abs(measured - max(plain, 0.0)) > _NEAR_MM:
                return bad("verdicts", f"{a} and {b} are {measured} mm apart, by hand {plain:.3f}", _ADVICE)
        if sight.answer is None or not sight.because:
            return bad("verdicts", f"whether {a} sees {b} is not told", _ADVICE)
    return good("verdicts", f"{2 * len(asked)} questions, as by hand; {1000 * took_s / (2 * len(asked)):.0f} ms each")


def _open_page() -> Finding:
    """The table's own server, in this process, on a port of its own."""
    app = create_app(Hub(title="selftest"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = StreamEndingServer(server_config(app), endings=app.state.endings)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            with urlopen(f"http://127.0.0.1:{listening.getsockname()[1]}/", timeout=_PATIENCE_S) as answer:
                page = answer.read()
        except OSError as wrong:
            return bad("page", f"the server does not answer: {wrong}", _ADVICE)
        finally:
            server.should_exit = True
            thread.join()
    if b'<div id="page">' not in page:
        return bad("page", "the server answers with something else than the page", _ADVICE)
    return good("page", f"served, {len(page)} bytes")
