"""Settings: `tableside.toml`, variables and options, which comes first, and what is wrong with one."""

import os
from pathlib import Path
from typing import Any

import pytest

from api.camera.protocol import Job
from api.cli import invocation, setup
from api.cli.settings import HallSettings, Settings, command_defaults, read_settings, variable_of, write_settings
from api.printing.paper import PaperName
from models.camera import CameraPose
from models.errors import BadFile, BadInput
from models.layout import Layout
from tests.api.cameras import CAMERA, LAYOUT
from tests.api.cli.commands import run
from tests.api.worlds import skirmish


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder one is in, without any variable of ours."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(invocation.ENV_PREFIX)]:
        monkeypatch.delenv(name)
    return tmp_path


def _write(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / invocation.FILE_NAME).write_text(text)
    return folder / invocation.FILE_NAME


def test_without_a_file_nothing_is_set() -> None:
    assert read_settings() == Settings()
    assert command_defaults(read_settings())["serve"] == {}
    assert not invocation.Invocation().has_settings


def test_the_file_of_the_folder_one_is_in_is_read(folder: Path) -> None:
    _write(folder, 'source = "0"\ntable_mm = [1219.2, 1829]\nlight = true\n[hall]\nreplicas = 3\n')
    settings = read_settings()

    assert (settings.source, settings.table_mm, settings.light) == ("0", (1219.2, 1829.0), True)
    assert settings.hall.replicas == 3


def test_files_are_named_from_where_the_settings_lie(folder: Path) -> None:
    (folder / "hall").mkdir()
    (folder / "hall" / "game.mp4").touch()
    text = (
        'source = "game.mp4"\ncamera = "camera.json"\nkey = "/keys/3.json"\nedition = "own.toml"\n[hall]\nkeys = "k"\n'
    )
    settings = read_settings(_write(folder / "hall", text))

    assert settings.camera == folder / "hall" / "camera.json"
    assert settings.key == Path("/keys/3.json")
    assert settings.hall.keys == folder / "hall" / "k"
    assert (settings.source, settings.edition) == (str(folder / "hall/game.mp4"), str(folder / "hall/own.toml"))
    assert read_settings(folder / "hall") == settings


@pytest.mark.parametrize("source", ["0", "rtsp://cam.local/1", "phone", "photographs"])
def test_a_source_that_is_no_file_stays_what_it_is(folder: Path, source: str) -> None:
    _write(folder, f'source = "{source}"\n')

    assert read_settings().source == source


def test_an_option_comes_before_a_variable_and_that_before_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(folder, 'paper = "a3"\n')
    run("print", "arc-marks", "-o", "file.pdf")
    monkeypatch.setenv("TABLESIDE_PAPER", "letter")
    run("print", "arc-marks", "-o", "variable.pdf")
    run("print", "arc-marks", "-o", "option.pdf", "--paper", "a3")
    printed = [Path(name).read_bytes() for name in ("file.pdf", "variable.pdf", "option.pdf")]

    assert read_settings().paper is PaperName.LETTER
    assert printed[0] == printed[2] != printed[1]


def test_every_command_takes_settings_and_json_before_it_or_behind_it(folder: Path) -> None:
    file = _write(folder / "home", 'profiles = "cameras"\n')
    before, behind = run("--settings", file, "--json", "profiles"), run("profiles", "--json", f"--settings={file}")

    assert (before.code, before.out) == (0, "[]\n")
    assert behind == before


def test_what_follows_two_dashes_is_no_option_of_ours() -> None:
    words = ["ask", "--json", "--", "--settings", "--json"]

    assert invocation.put_first(words) == ["--json", "ask", "--", "--settings", "--json"]


@pytest.mark.parametrize(
    ("text", "field", "value", "says"),
    [
        ('\nsorce = "0"\n', "sorce", "0", "line 2: unknown key sorce = '0'; did you mean source?"),
        ("port = 8017\ncolour = 3\n", "colour", 3, "line 2: unknown key colour = 3"),
        ("port = 99999\n", "port", 99999, "line 1: port = 99999"),
        ("[hall]\nreplicas = 9\n", "hall.replicas", 9, "hall.replicas = 9"),
        ("[hall]\nkees = 1\n", "hall.kees", 1, "unknown key hall.kees = 1"),
        ('_env_file = "x"\n', "_env_file", "x", "unknown key _env_file"),
        ("source = \n", "settings", "tableside.toml", "not TOML"),
    ],
)
def test_what_is_wrong_names_file_key_and_value(folder: Path, text: str, field: str, value: object, says: str) -> None:
    _write(folder, text)
    done = run("profiles")

    assert (done.code, done.out) == (2, "")
    assert (done.problem["field"], done.problem["value"]) == (field, value)
    assert says in done.problem["detail"]
    assert "tableside.toml" in done.problem["detail"]


@pytest.mark.parametrize(("name", "value"), [("TABLESIDE_PORT", "high"), ("TABLESIDE_NAMES", "hall.local")])
def test_a_wrong_variable_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    done = run("profiles")

    assert done.code == 2
    assert name.removeprefix("TABLESIDE_").lower() in done.problem["detail"].lower()


def test_a_file_that_was_named_must_be_there() -> None:
    with pytest.raises(BadFile):
        read_settings(Path("other.toml"))


def test_every_default_of_a_command_is_an_option_that_it_has() -> None:
    """A renamed option would silently be set no more."""
    everything = Settings(
        **{name: _example(name) for name in Settings.model_fields if name not in ("names", "proxies", "hall")},
        hall=HallSettings(keys=Path("k"), data=Path("d"), database="x", nats="y"),
    )
    unknown = list(_unknown_options(command_defaults(everything), commands()))

    assert unknown == []


def commands() -> Any:
    from typer.main import get_command

    from api.cli import app

    return get_command(app)


def _example(name: str) -> Any:
    field = Settings.model_fields[name]
    if field.default is not None:
        return field.default
    return {"table_mm": (1.0, 2.0), "port": 1, "table": 1, "paper": "a4"}.get(name, "x")


def _unknown_options(defaults: dict[str, Any], group: Any) -> Any:
    for name, values in defaults.items():
        command = group.commands[name]
        if hasattr(command, "commands"):
            yield from _unknown_options(values, command)
        else:
            yield from (f"{name}: {key}" for key in values.keys() - {option.name for option in command.params})


def test_what_is_written_reads_back_and_other_lines_stay(folder: Path) -> None:
    _write(folder, '# ours\nsource = "1"  # the old camera\nport = 9000\npose = "pose.json"\n\n[hall]\nreplicas = 3\n')
    values = {"source": 'the "new" one', "camera": Path("camera.json"), "light": True, "pose": None,
              "table_mm": (1219.2, 914.4), "names": ("hall.local",)}  # fmt: skip
    text = write_settings(folder, values).read_text()
    settings = read_settings()

    assert text.startswith("# ours\nport = 9000\n")
    assert (settings.source, settings.camera, settings.light) == ('the "new" one', Path("camera.json"), True)
    assert (settings.table_mm, settings.names, settings.pose) == ((1219.2, 914.4), ("hall.local",), None)
    assert (settings.port, settings.hall.replicas) == (9000, 3)
    assert write_settings(folder, values).read_text() == text


def test_a_table_that_was_set_up_is_served_by_its_settings(folder: Path) -> None:
    job = Job(source="photographs", camera=CAMERA, layout=LAYOUT, edition="hordes-mk2")
    setup.keep_job(job, folder)
    posed = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="hordes-mk2", pose=CameraPose.model_construct())
    served = command_defaults(read_settings())["serve"]
    setup.keep_job(posed, folder)
    served_by_pose = command_defaults(read_settings())["serve"]

    assert served == {
        "source": "photographs", "camera": Path("camera.json"), "layout": Path("layout.json"), "edition": "hordes-mk2"
    }  # fmt: skip
    assert served_by_pose["pose"] == Path("pose.json")
    assert "layout" not in served_by_pose


def test_terrain_that_was_laid_is_kept_with_the_layout(folder: Path) -> None:
    hill = {"id": "h", "kind": "hill", "polygon_mm": [(1.0, 1.0), (50.0, 1.0), (1.0, 50.0)]}
    layout = Layout(**{**dict(LAYOUT), "terrain": (hill,)})
    setup.keep_job(Job(source="0", camera=CAMERA, layout=layout, edition="hordes-mk2"), folder)

    kept = read_settings().layout
    assert kept is not None
    assert Layout.model_validate_json(kept.read_bytes()) == layout


def test_a_pose_of_the_settings_is_not_mixed_with_another_camera(folder: Path) -> None:
    """The pose belongs to the camera that it was solved with."""
    _write(folder, 'camera = "camera.json"\npose = "pose.json"\n')
    for name in ("mine", "camera"):
        (folder / f"{name}.json").write_text(CAMERA.model_dump_json(exclude_none=True))
    by_settings, mixed = (
        run("serve", "--source", "none.mp4", *words, "--port", "0") for words in ((), ("--camera", "mine.json"))
    )

    assert "pose.json" in by_settings.problem["detail"]
    assert (mixed.code, mixed.problem["field"]) == (2, "layout")


def test_a_free_plane_asks_for_no_layout_of_the_settings(folder: Path) -> None:
    _write(folder, 'camera = "camera.json"\nlayout = "layout.json"\n')
    (folder / "empty.png").write_bytes(b"")
    done = run("locate", "empty.png", "--free-plane", "-o", "state.json")

    assert "layout" not in done.problem["detail"]


def test_a_wrong_setting_of_a_studio_is_named(folder: Path) -> None:
    _write(folder, 'webhook = "ftp://x"\n')
    (folder / "state.json").write_text(skirmish().model_dump_json())
    done = run("serve", "--state", "state.json", "--port", "0")

    assert (done.code, done.problem["field"], done.problem["value"]) == (2, "webhook", "ftp://x")


def test_names_of_variables_are_those_of_keys() -> None:
    assert variable_of("obs_password") == "TABLESIDE_OBS_PASSWORD"
    with pytest.raises(BadInput):
        read_settings(Path(_write(Path("bad"), "obs_password = 3\n")))
