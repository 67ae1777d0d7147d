"""The inference library tells nobody what it runs: it has telemetry of its own, which leaves a file behind."""

import os
import subprocess
import sys
from pathlib import Path

_LOAD = "from vision.detection.network.inference import shipped_network; shipped_network()"


def test_loading_the_network_starts_no_telemetry(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", _LOAD], env=environment | {"TMPDIR": str(tmp_path)}, check=True, timeout=120)

    assert list(tmp_path.iterdir()) == []
