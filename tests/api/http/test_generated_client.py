"""A client that a usual generator makes of the document asks a live table."""

import json
import os
import subprocess
import urllib.request
import venv
from pathlib import Path

import pytest

from tests.api.serving import serve_table
from tests.api.worlds import skirmish

GENERATOR = "openapi-python-client==0.29.1"
"""It wants an older typer than the command line does, so it cannot stand beside it."""
PROGRAM = """
import json, sys
from tableside_client import Client
from tableside_client.api.questions import post_ask, post_ask_pair
from tableside_client.api.tables import get_glance
from tableside_client.models import Distance, Los, Pair
with Client(sys.argv[1], raise_on_unexpected_status=True) as table:
    far = post_ask.sync(client=table, body=Distance(a="m3", b="m7", kind="distance"))
    far_too = Distance(a="m3", b="m10", kind="distance")
    both = post_ask.sync(client=table, body=[Los(viewer="m3", target="m7", kind="los"), far_too])
    refused = post_ask.sync(client=table, body=Distance(a="nobody", b="m7", kind="distance"))
    sheet = post_ask_pair.sync(client=table, body=Pair(a="m3", b="m7"))
    glance = get_glance.sync(client=table)
kinds = [answer.kind for answer in both]
print(json.dumps([far.state_id, kinds, refused.type_, len(sheet.lines), glance.miniatures]))
"""


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_generated_client_asks_a_live_table(tmp_path: Path) -> None:
    python, programs = _install(tmp_path / "venv")
    (tmp_path / "state.json").write_text(skirmish().model_dump_json())
    client = tmp_path / "client"

    with serve_table("serve", "--state", str(tmp_path / "state.json"), "--open") as address:
        (tmp_path / "openapi.json").write_bytes(urllib.request.urlopen(f"{address}api/v1/openapi.json").read())
        where = ["--path", str(tmp_path / "openapi.json"), "--output-path", str(client), "--meta", "none"]
        generate = [str(programs / "openapi-python-client"), "generate", *where]
        subprocess.run(generate, check=True, capture_output=True)
        client.rename(tmp_path / "tableside_client")
        asked = [str(python), "-W", "ignore", "-c", PROGRAM, address.rstrip("/")]
        answer = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=tmp_path).stdout

    state_id, kinds, refused, lines, standing = json.loads(answer)
    assert state_id == skirmish().state_id
    assert (kinds, refused) == (["los", "distance"], "query/unknown_thing")
    assert lines > 3
    assert standing == len(skirmish().miniatures)


def _install(home: Path) -> tuple[Path, Path]:
    """The Python of a new environment that holds the generator, and the folder of its programs."""
    venv.create(home, with_pip=True)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([str(programs / "python"), "-m", "pip", "install", "-qq", GENERATOR], check=True)
    return programs / "python", programs
