"""A table with a settled picture, over a folder, to be killed: `python -m tests.api.evidence.ruling_server FOLDER`."""

import sys
from contextlib import closing
from pathlib import Path

from api.evidence.service import EvidenceKeeper
from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.server.app import create_app
from api.server.bind import ListenOptions
from api.server.journal_entries import ENTRY_CLASSES
from api.server.serve import serve
from tests.api.evidence.test_evidence import picture, report_with


def main(folder: Path) -> None:
    """Serve until killed; its address is told in one line."""
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        hub = Hub(title="to be killed", journal=journal)
        keeper = EvidenceKeeper(hub, folder, most_bytes=10**7)
        hub.handle_report(report_with(picture()))
        serve(create_app(hub, evidence=keeper), ListenOptions(host="127.0.0.1", port=0, qr=False, as_json=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
