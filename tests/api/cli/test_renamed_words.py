"""Commands and options that are said otherwise now: what to say instead stands in the one problem object."""

import pytest

from tests.api.cli.commands import run


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        (("pair", "state.json", "a", "b"), "tableside ask STATE A B"),
        (("check", "table.jpg", "--camera", "camera.json"), "tableside doctor SOURCE"),
        (("setup", "solve", "a.jpg", "-o", "out"), "tableside setup PICTURES"),
        (("calibrate", "corners", "--source", "0"), "tableside calibrate table SOURCE --tap"),
        (("profiles", "list", "--json"), "tableside profiles"),
        (("--json", "hub", "cards", "--keys", "keys"), "tableside hub keys"),
    ],
)
def test_a_command_of_before_says_what_it_is_now(words: tuple[str, ...], instead: str) -> None:
    done = run(*words)

    assert (done.code, done.out, done.problem["field"]) == (2, "", "command")
    assert instead in done.problem["detail"]


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        (("serve", "--webhook", "http://x"), "webhook in tableside.toml"),
        (("serve", "--no-qr"), "qr in tableside.toml"),
        (("hub", "run", "--keys", "k", "--lists", "l"), "hall.lists in tableside.toml"),
        (("print", "charuco", "--squares-x", "9"), "--columns"),
    ],
)
def test_an_option_of_before_says_what_it_is_now(words: tuple[str, ...], instead: str) -> None:
    done = run(*words)

    assert done.code == 2
    assert instead in done.problem["detail"]


def test_an_option_that_never_was_is_named() -> None:
    assert "--colour" in run("serve", "--colour", "red").problem["detail"]
