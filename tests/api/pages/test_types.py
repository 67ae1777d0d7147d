"""TypeScript types of the pages are those of the server."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "scripts" / "generate_ts_types.py"


def test_the_phones_types_are_those_of_the_server() -> None:
    """Else run scripts/generate_ts_types.py: the page would read fields that are not there."""
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
