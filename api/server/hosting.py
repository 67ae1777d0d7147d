"""Hosting: how a table is kept, and who may play at it."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import FastAPI

from api.books.book_file import ReadBook
from api.books.kept_books import check_same_book, keep_book
from api.camera.live_source import is_live
from api.camera.phone_camera import SOURCE as PHONE
from api.camera.phone_camera import PhoneCamera
from api.camera.photographs import SOURCE, Photographs, is_still
from api.camera.process import run
from api.camera.protocol import CameraCommands, Job
from api.camera.tracker_snapshot import TrackerSnapshot
from api.cards.card_file import CardLibrary, load_library
from api.corrections.schemas import MiniatureCorrection
from api.errors import NoTableYet
from api.evaluation.worker_pool import WorkerPool
from api.evidence.service import EvidenceKeeper
from api.games.archive import open_game
from api.games.calibration import keep_calibration
from api.games.verification import GameReport, verify_game, verify_lines
from api.hall.keys import TableKey
from api.hall.table_link import TableLink
from api.journal.file_journal import NAME, FileJournal
from api.journal.interface import Journal, MemoryJournal
from api.journal.signature import ChainSigner, can_sign
from api.lists.army import add_list
from api.lists.naming import Places, placed_correction
from api.live.alarms import PROOF
from api.live.camera_supervisor import CameraSupervisor, open_commands
from api.live.hub import Hub
from api.live.publisher import TableAtRest
from api.live.rest_moments import measured_table
from api.overlay.cues import ON_AIR, Cues, ObsCue, Receiver, Topic, Webhook
from api.overlay.mqtt import BrokerAddress, MqttBroker, topic_of
from api.projector.service import LightService
from api.routes.camera import add_phone_camera, add_photographs
from api.routes.corners import add_live_corners
from api.routes.projector import add_projector
from api.rulings.entries import RULING_ENTRIES, VerdictKept
from api.seats.sessions import SeatSessions
from api.server.app import CameraRunner, create_app, no_camera
from api.server.bind import ListenOptions
from api.server.journal_entries import ENTRY_CLASSES
from api.server.serve import serve, urls
from api.setups.schemas import RosterSet
from api.setups.store import SetupStore
from api.storage.files import load
from api.tap_measurement.crop_keeper import CropKeeper
from api.tap_measurement.service import TapMeasurementService
from models.camera import Camera
from models.errors import BadState
from models.layout import Layout
from models.roster import RosterList
from models.state import TableState
from models.vocabulary import Id

log = logging.getLogger(__name__)

KEEP_BYTES = 2_000_000_000
SCRATCH_BYTES = 200_000_000  # where nothing is kept, some hundred pictures of tables at rest until the server ends


@dataclass(frozen=True)
class NamedList:
    """An army list that was read, whose it is and what its file is called."""

    side: str
    file: str
    roster: RosterList


@dataclass(frozen=True)
class HallChoice:
    """The hub that a table belongs to, and the table's key."""

    url: str
    key: TableKey


@dataclass(frozen=True)
class CueChoice:
    """Which programs of a studio hear what goes on air; addresses that are None hear nothing."""

    webhook: str | None = None
    webhook_topics: tuple[Topic, ...] = ON_AIR
    secret: str | None = None
    obs: str | None = None
    obs_password: str = ""
    obs_scene: str | None = None
    mqtt: BrokerAddress | None = None
    mqtt_topic: str | None = None

    def open(self, title: str) -> Cues | None:
        """What tells them; None where nobody is told. `title`: the table's, where it has no topic of its own."""
        receivers: list[Receiver] = []
        if self.webhook is not None:
            receivers.append(Webhook(self.webhook, self.secret, topics=self.webhook_topics))
        if self.obs is not None:
            receivers.append(ObsCue(self.obs, self.obs_password, scene=self.obs_scene))
        if self.mqtt is not None:
            receivers.append(MqttBroker(self.mqtt, self.mqtt_topic or topic_of(title)))
        return Cues(receivers) if receivers else None


@dataclass(frozen=True)
class Hosting:
    """`data`: the folder that keeps the table, None to forget it; `is_open`: who has no code plays all the same.

    `lists`: the army lists to lay out, each with its side; `cards`: the folder of the card library;
    `hall`: the hub that is told of everything; `places`: who stands where when a recording begins;
    `keep_bytes`: room for the pictures of tables at rest; `book`: the rulebook written as data that is played by;
    `scratch`: the folder of those pictures while the server runs, where nothing is kept; `setups`: where setups
    are kept that several games share, beside `data` when None; `call_stops_clock`: a call for a judge stops the clocks;
    `timestamp`: the authority that stamps the journal.
    """

    data: Path | None = None
    is_open: bool = False
    lists: tuple[NamedList, ...] = ()
    cards: Path | None = None
    hall: "HallChoice | None" = None
    places: Places | None = None
    keep_bytes: int = KEEP_BYTES
    book: ReadBook | None = None
    cues: CueChoice = CueChoice()
    scratch: Path | None = None
    setups: Path | None = None
    call_stops_clock: bool = False
    timestamp: str | None = None

    @contextmanager
    def with_scratch(self) -> Iterator["Hosting"]:
        """The same; where no folder keeps the table, one that goes with the server keeps the pictures under answers."""
        if self.data is not None or self.keep_bytes == 0:
            yield self
            return
        with TemporaryDirectory(prefix="tableside-") as folder:
            yield replace(self, scratch=Path(folder), keep_bytes=min(self.keep_bytes, SCRATCH_BYTES))

    @contextmanager
    def journal(self) -> Iterator[Journal]:
        """The table's journal while it is served. Raises: BadFile when the folder cannot be used."""
        with closing(MemoryJournal() if self.data is None else FileJournal(self.data, ENTRY_CLASSES)) as journal:
            yield journal

    def open_hub(
        self, journal: Journal, *, title: str, commands: CameraCommands | None = None, by_photograph: bool = False
    ) -> Hub:
        """The table over this journal, judged by the book. Raises: OtherBook, BadFile, JournalFailed."""
        chosen = None if self.book is None else self.book.in_play
        check_same_book(measured_table(journal), chosen, self.data)
        if self.book is not None:
            keep_book(self.book, journal, self.data)
        hub = Hub(title=title, commands=commands, journal=journal, by_photograph=by_photograph, book=chosen)
        hub.book_file = None if self.book is None else self.book.whole
        hub.clocks.stops_at_call = self.call_stops_clock
        return hub

    def keep_calibration(self, camera: Camera, layout: Layout) -> None:
        """Keep what the table is measured by beside its journal, to be handed on with the game. Raises: BadFile."""
        if self.data is not None:
            keep_calibration(self.data, camera, layout)

    def keeps_pictures(self) -> bool:
        """Whether pictures of tables at rest are wanted."""
        return (self.data or self.scratch) is not None and self.keep_bytes > 0

    def evidence(self, hub: Hub) -> EvidenceKeeper | None:
        folder = self.data or self.scratch
        if folder is None:
            return None
        return EvidenceKeeper(hub, folder, most_bytes=self.keep_bytes, is_lasting=self.data is not None)

    def shelf(self) -> SetupStore:
        folder = None if self.data is None else self.data / "setups"
        return SetupStore(self.setups or folder)

    def library(self) -> CardLibrary:
        """The cards as they are now. Raises: BadFile, BadCards."""
        return load_library(self.cards)

    def lay_lists(self, hub: Hub) -> None:
        """Lay the lists out that are not laid out already. Raises: BadFile, BadCards, BadCorrection, JournalFailed."""
        for army in self.lists:
            before = hub.expected.roster()
            after = add_list(before, army.roster, army.side, self.library().cards(), file=army.file)
            if after != before:
                hub.expect(RosterSet(by="judge", expected=after.expected, lists=after.lists))

    def link(self, listen: ListenOptions) -> TableLink | None:
        if self.hall is None:
            return None
        assert self.data is not None
        address = urls(listen.host, listen.port)[0] if listen.port else None
        return TableLink(self.data, self.hall.url, self.hall.key, address=address)

    def name_places(self, hub: Hub) -> None:
        """From now on name each miniature that stands at a known place, once."""
        if self.places is not None:
            name_places = partial(_name_places, hub, self.places, set())
            hub.publisher.subscribe(TableAtRest, lambda _: name_places())

    def seats(self, journal: Journal) -> SeatSessions:
        return SeatSessions(journal, unjoined="player-a" if self.is_open else "viewer")


def _name_places(hub: Hub, places: Places, named: set[Id]) -> None:
    """What was told once is not told again: a player may have taken it back."""
    if hub.state is None or hub.measured is None:
        return
    correction = placed_correction(hub.expected.roster(), hub.state, places, frozenset(named))
    if correction is not None:
        named.update(
            id_ for single in correction.corrections if isinstance(single, MiniatureCorrection) for id_ in single.ids
        )
        hub.undo_log.correct(hub.measured, correction, by="judge")


def serve_state(path: Path, listen: ListenOptions, hosting: Hosting) -> None:
    """Serve a state written by hand. Raises: BadFile, BadState."""
    state = load(TableState, path, error=BadState)
    with hosting.journal() as journal:
        hub = hosting.open_hub(journal, title=path.name)
        hub.show(state)
        hosting.lay_lists(hub)
        serve_hub(hub, hosting, listen)


def serve_hub(hub: Hub, hosting: Hosting, listen: ListenOptions, *, camera: CameraRunner = no_camera) -> None:
    """Serve a table that was shown already; `camera` feeds it for as long as the server runs."""
    seats = hosting.seats(hub.journal)
    serve(_create_table_app(hub, hosting, listen, seats, camera=camera), listen, codes=seats.codes)


def serve_job(job: Job, listen: ListenOptions, hosting: Hosting, *, title: str) -> None:
    """Serve what a camera process sees, or the photographs show that somebody sends."""
    with hosting.with_scratch() as hosting:
        _serve_job(job, listen, hosting, title=title)


def _serve_job(job: Job, listen: ListenOptions, hosting: Hosting, *, title: str) -> None:
    photographs = Photographs(job) if job.source == SOURCE or is_still(job) else None
    phone = PhoneCamera() if job.source == PHONE else None
    wanted = None if photographs else open_commands()
    job = replace(job, keeps_pictures=hosting.keeps_pictures())
    with hosting.journal() as journal:
        seats = hosting.seats(journal)
        hub = hosting.open_hub(journal, title=title, commands=wanted, by_photograph=job.source == SOURCE)
        hosting.keep_calibration(job.camera, job.layout)
        hosting.lay_lists(hub)
        hosting.name_places(hub)
        live = phone is not None or is_live(job.source)
        known = TrackerSnapshot(hosting.data, job) if live else None
        seen = job if phone is None else replace(job, source=phone.address)
        camera = photographs or CameraSupervisor(
            run, seen, wanted or open_commands(), is_live=live or job.is_looping, tracker_snapshot=known
        )
        feed = camera if phone is None else phone.feed(camera)
        app = _create_table_app(hub, hosting, listen, seats, camera=feed, layout=job.layout)
        if phone:
            add_phone_camera(app, phone)
        if photographs and job.source == SOURCE:
            add_photographs(app, photographs)
        elif not photographs:
            add_live_corners(app, hub, job)
            add_projector(app, LightService.of_job(hub, job, hosting.data))
        serve(app, listen, codes=seats.codes)


def _create_table_app(
    hub: Hub,
    hosting: Hosting,
    listen: ListenOptions,
    seats: SeatSessions,
    *,
    camera: CameraRunner = no_camera,
    layout: Layout | None = None,
) -> FastAPI:
    taps = TapMeasurementService(hub, layout=layout)
    if hosting.data is not None:
        CropKeeper(hub, taps, hosting.data)
    return create_app(
        hub,
        signer=_open_signer(hub, hosting.data),
        timestamp=hosting.timestamp,
        camera=camera,
        seats=seats,
        shelf=hosting.shelf(),
        cards=hosting.library,
        pool=WorkerPool(),
        names=listen.names,
        hall=hosting.link(listen),
        evidence=hosting.evidence(hub),
        game=hosting.data,
        cues=hosting.cues.open(hub.title),
        taps=taps,
    )


def _open_signer(hub: Hub, data: Path | None) -> ChainSigner | None:
    """What signs the journal of this folder. None where nothing is kept or no package signs, and where it is not what
    was written: then that stands with the alarms, and nothing made anew is signed."""
    if data is None:
        return None
    report = verify_lines(data / NAME)
    if report.fault is not None:
        _warn_of(hub, report)
        return None
    return ChainSigner(hub.journal, at_once=(*RULING_ENTRIES, VerdictKept)) if can_sign() else None


def _warn_of(hub: Hub, report: GameReport) -> None:
    log.warning("the game is not as it was written: %s", report.sentence)
    hub.alarms.sound(PROOF, report.sentence)


def serve_replay(path: Path, listen: ListenOptions) -> None:
    """Serve a kept game until interrupted: everybody may look and ask, nobody change.

    Raises: BadFile, BadGame, BadInput; NoTableYet when the game holds no table.
    """
    report = verify_game(path)
    with open_game(path) as (ours, pictures), closing(FileJournal(ours, ENTRY_CLASSES)) as journal:
        hub = Hub(title=path.stem, journal=journal)
        hub.is_replay = True
        if hub.state is None:
            raise NoTableYet(f"{path}: no table was seen at rest in this game.")
        hub.source.rest()
        if report.fault is not None:
            _warn_of(hub, report)
        # who had a seat then has none now
        seats = SeatSessions(MemoryJournal(), unjoined="viewer", hastens_viewers=True)
        evidence = EvidenceKeeper(hub, pictures, most_bytes=0, is_read_only=True)
        app = create_app(hub, seats=seats, pool=WorkerPool(), names=listen.names, evidence=evidence)
        serve(app, listen)
