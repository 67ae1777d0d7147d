"""Training with nothing to fetch from: a short run in an empty home, every step toward the network refused and noted.

Whatever asks for a name or a connection, in any process of the run, is written down and fails. Two steps on a hundred
drawn tiles, three hundred more to judge by, export and card: everything that a long run does. Needs the extra `train`.

    python -m benchmarks.detection.offline_training [--steps 2]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import run

REFUSING = """
import os
import socket
import sys


def refused(event, args):
    if event not in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request"):
        return
    if event == "socket.connect" and args[0].family == socket.AF_UNIX:
        return
    with open(os.environ["ASKED"], "a") as file:
        file.write(f"{event} {args[1:]}\\n")
    raise OSError("there is no network here")


sys.addaudithook(refused)
"""
FETCHING = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')"


def main(steps: int = 2) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "sitecustomize.py").write_text(REFUSING)
        fetched = _train_offline(folder, "-c", FETCHING)
        print(f"a fetch, to see that it is refused: exit {fetched.returncode}, asked {_network_requests(folder)}")
        (folder / "asked").unlink(missing_ok=True)
        wanted = ("run", "--tiles", "100", "--steps", str(steps), "--minutes", "30")
        ran = _train_offline(folder, "-m", "vision.training", "train", *wanted)
        print(ran.stdout[-1500:], ran.stderr[-1500:] if ran.returncode else "")
        print(f"training: exit {ran.returncode}, asked {_network_requests(folder)}")
        for path in sorted(path for path in (folder / "run").glob("bases.*")):
            print(f"{path.name}: {path.stat().st_size} bytes")
        left = sorted(str(path.relative_to(folder)) for path in (folder / "home").rglob("*") if path.is_file())
        print(f"left in the home that was empty: {left or 'nothing'}")


def _train_offline(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    own = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "YOLO_", "MPL"))}
    here = Path(__file__).parents[2]
    refusing = {"PYTHONPATH": f"{folder}{os.pathsep}{here}", "HOME": str(home), "ASKED": str(folder / "asked")}
    return subprocess.run([sys.executable, *command], cwd=folder, env=own | refusing, capture_output=True, text=True)


def _network_requests(folder: Path) -> str:
    """What was asked of the network."""
    path = folder / "asked"
    return path.read_text().strip().replace("\n", "; ") if path.exists() else "nothing"


if __name__ == "__main__":
    run(main)
