"""What calibration claims, measured: `python benchmarks/calibration --help`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # A script's own folder comes first on the path, and there this file would hide the package of its name.
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    from benchmarks.calibration.claims import main
    from benchmarks.harness import run

    run(main)
