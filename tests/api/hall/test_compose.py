"""The compose file of a hall: what it names is there, and its hub starts with options that there are."""

import shlex
from typing import Any

import pytest
import yaml
from typer.main import get_command

from api.cli import app
from tests.house.sources import ROOT

FOLDER = ROOT / "deploy" / "hall"


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8")))


def test_a_hub_starts_with_options_that_there_are(compose: dict[str, Any]) -> None:
    options = [word for word in shlex.split(compose["services"]["hub-a"]["command"]) if word.startswith("--")]
    root: Any = get_command(app)
    commands = (root, root.commands["hub"].commands["run"])
    known = {name for command in commands for parameter in command.params for name in parameter.opts}

    assert options
    assert set(options) <= known


def test_what_a_service_names_is_declared_or_lies_there(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        sources = [mount.split(":")[0] for mount in service["volumes"]]
        files = {one for one in sources if one.startswith("./")} - {"./keys"}  # `tableside hub keys` writes those

        assert {one for one in sources if not one.startswith("./")} <= compose["volumes"].keys()
        assert [one for one in files if not (FOLDER / one).exists()] == []
        assert set(service.get("depends_on", ())) <= compose["services"].keys()
        assert set(service["networks"]) <= compose["networks"].keys()


def test_hubs_run_as_who_may_read_the_keys_and_no_image_holds_them(compose: dict[str, Any]) -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    build = compose["services"]["hub-a"]["build"]

    assert "user" in compose["services"]["hub-a"]  # keys are for their owner's eyes only
    assert (FOLDER / "keys").relative_to(ROOT).as_posix() in ignored
    assert (FOLDER / build["context"] / build["dockerfile"]).resolve() == FOLDER / "Dockerfile"


def test_the_balancer_hands_over_to_every_hub_at_its_port(compose: dict[str, Any]) -> None:
    told = (FOLDER / "nginx.conf").read_text(encoding="utf-8")
    port = shlex.split(compose["services"]["hub-a"]["command"])
    hubs = [name for name in compose["services"] if name.startswith("hub-")]

    assert [name for name in hubs if f"server {name}:{port[port.index('--port') + 1]} " not in told] == []
