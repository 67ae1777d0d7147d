"""The build hook: which compiler builds the kernels, and what a build says that has none."""

import sys
from collections.abc import Sequence

import pytest

import hatch_build
from hatch_build import KernelHook, find_compiler
from tests.house.sources import ROOT

SYSTEM, ZIG, OWN = ("cc",), (sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline"), ("my-cc", "-target", "x")


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    _have(monkeypatch)


def _have(monkeypatch: pytest.MonkeyPatch, *compilers: Sequence[str]) -> None:
    monkeypatch.setattr(hatch_build, "_does_compile", lambda compiler: tuple(compiler) in compilers)


def _hook(target: str = "wheel") -> KernelHook:
    return KernelHook(str(ROOT), {}, None, None, "", target)  # type: ignore[arg-type]


def test_the_compiler_of_the_system_comes_before_that_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    _have(monkeypatch, ZIG, SYSTEM)

    assert find_compiler() == SYSTEM


def test_the_compiler_that_is_named_is_taken_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "my-cc -target x")
    _have(monkeypatch, SYSTEM, OWN)
    named = find_compiler()
    _have(monkeypatch, SYSTEM, ZIG)

    assert tuple(named or ()) == OWN
    assert find_compiler() is None


def test_a_machine_without_a_compiler_has_one_fetched_for_the_build() -> None:
    assert _hook().dependencies() == ["ziglang>=0.14"]


def test_a_machine_with_one_fetches_none(monkeypatch: pytest.MonkeyPatch) -> None:
    _have(monkeypatch, SYSTEM)

    assert _hook().dependencies() == []


def test_an_archive_of_the_sources_needs_none() -> None:
    assert _hook("sdist").dependencies() == []


def test_a_build_without_any_compiler_ends_with_one_sentence() -> None:
    with pytest.raises(SystemExit, match="No C compiler: neither CC, cc nor the package ziglang"):
        _hook().initialize("standard", {"artifacts": []})


def test_a_command_that_is_there_and_does_not_compile_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("CC", f"{sys.executable} -c pass")

    assert find_compiler() is None
