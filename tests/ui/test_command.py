"""The command `embtools`: what it passes on, what it refuses, and that it answers at once."""

import os
import re
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from embtools.ui import command

HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")


@pytest.fixture
def passed_on(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment in which the server would start."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("EMBTOOLS", "STREAMLIT"))}
    monkeypatch.setattr(os, "environ", environment)
    monkeypatch.setattr(command, "_serve", lambda: 0)
    return environment


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which another program answers."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_options_become_settings_and_override_those_of_the_same_meaning(
    passed_on: dict[str, str], tmp_path: Path
) -> None:
    corpora = [tmp_path / "news", tmp_path / "wiki"]
    for folder in corpora:
        folder.mkdir()
        (folder / "corpus.json").touch()
    passed_on |= {"EMBTOOLS_OFFLINE": "0", "EMBTOOLS_MODELS": "no-such-model", "EMBTOOLS_VISITORS": "30"}
    passed_on |= {"STREAMLIT_SERVER_PORT": "1", "STREAMLIT_SERVER_ADDRESS": "198.51.100.7"}
    options = ["--model", "bundled", "--model=google-bert/bert-base-uncased", "--offline", "--no-browser", "--port=0"]
    options += [part for folder in corpora for part in ("--corpus", str(folder))]
    assert command.main([*options, "--corpus", "s3://lab/news", "--host", "127.0.0.1"]) == 0
    assert passed_on["EMBTOOLS_MODELS"] == "bundled,google-bert/bert-base-uncased"
    assert passed_on["EMBTOOLS_CORPORA"] == f"{corpora[0]},{corpora[1]},s3://lab/news"
    assert passed_on["EMBTOOLS_OFFLINE"] == passed_on["STREAMLIT_SERVER_HEADLESS"] == "true"
    assert passed_on["STREAMLIT_SERVER_ADDRESS"] == "127.0.0.1" and passed_on["EMBTOOLS_VISITORS"] == "30"
    assert int(passed_on["STREAMLIT_SERVER_PORT"]) > 1


def test_without_options_the_settings_stay_and_a_free_port_is_found(
    passed_on: dict[str, str], taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dict(passed_on)
    monkeypatch.setattr(command, "_FIRST_PORT", taken)
    assert command.main([]) == 0
    assert int(passed_on["STREAMLIT_SERVER_PORT"]) > taken
    added = {name for name in passed_on.keys() - before.keys() if name.startswith(("EMBTOOLS", "STREAMLIT"))}
    assert added == {"STREAMLIT_SERVER_PORT"}


def test_a_folder_without_a_name_of_its_own_gets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/rome")
    (option,) = (each for each in command.OPTIONS if each.flag == "--model")
    assert command.as_settings({option: [".", "~/mine"]}) == {"EMBTOOLS_MODELS": f"{tmp_path},/home/rome/mine"}


REFUSED = {
    "a name that is close to one": (["--model", "bert-base-uncased"], r"--model names .*mean google-bert/bert-base-uncased\?"),
    "a folder without a model": (["--model", "."], r"--model names '/.*', which has no config\.json"),
    "two names in one": (["--model", "a,b"], "Give --model once for each"),
    "no name": (["--model", ""], "--model is empty"),
    "no address": (["--host="], "--host is empty.*leave --host out"),
    "two lines": (["a\nb"], "a b.*embtools --help"),
    "a folder that is missing": (["--corpus", "~nobody-at-all/a"], "--corpus names '~nobody-at-all/a', which is not a folder"),
    "a folder without a text": (["--corpus", "."], r"--corpus names .*no corpus\.json.*python -m embtools\.corpus"),
    "no number": (["--port", "many"], "--port is 'many', but must be a whole number from 0 to 65,535"),
    "a port that is too large": (["--port=65536"], "--port is '65536'"),
    "another machine": (["--host", "198.51.100.7"], r"--host '198\.51\.100\.7' is not .*Use 127\.0\.0\.1"),
    "an unknown option": (["--prot", "8501"], "--prot 8501.*embtools --help"),
    "a part of an option": (["--off"], "--off.*embtools --help"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_meant_is_refused_in_one_line(case: str, tmp_path: Path) -> None:
    options, said = REFUSED[case]
    done = run(*options, where=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert re.fullmatch(rf"embtools: [^\n]*{said}[^\n]*\n", done.stderr), done.stderr


def test_a_port_that_is_taken_is_refused(taken: int, tmp_path: Path) -> None:
    assert f"--port {taken} is in use" in run("--port", str(taken), where=tmp_path).stderr
    assert f"SERVER_PORT {taken} is in use" in run(where=tmp_path, STREAMLIT_SERVER_PORT=str(taken)).stderr


def test_the_library_alone_says_how_to_install_the_app(
    passed_on: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", {}.get)
    assert command.main([]) == 2
    assert re.fullmatch(r"embtools: .*pip install \.\[app\]\n", capsys.readouterr().err)


def test_help_and_version_import_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys; from embtools.ui import command\ntry: command.main([sys.argv[1]])\n"
    code += "except SystemExit: print({'torch', 'streamlit', 'numpy', 'pandas'} & set(sys.modules))"
    for option, said in (("--version", r"embtools \d{4}\.\d+\.\d+\n"), ("--help", "usage: embtools .*")):
        program = [sys.executable, "-c", code, option]
        done = subprocess.run(program, capture_output=True, text=True, env=os.environ | {"EMBTOOLS_MODELS": "wrong"})
        assert re.fullmatch(rf"{said}set\(\)\n", done.stdout, re.DOTALL), done


def test_the_documents_list_every_option_next_to_its_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--help"])
    printed = capsys.readouterr().out
    for option in command.OPTIONS:
        assert f"| `{f'{option.flag} {option.value}'.strip()}` | `{option.setting}` |" in HOSTING
        assert option.flag in printed and f"[{option.setting}]" in printed


@pytest.mark.parametrize(
    ("options", "address"),
    [
        ({}, "http://localhost:8502"),
        ({"server.address": "::1", "server.baseUrlPath": "/bert/"}, "http://[::1]:8502/bert"),
        ({"server.address": "127.0.0.1", "server.sslCertFile": "a.pem"}, "https://127.0.0.1:8502"),
        ({"server.headless": True}, ""),
    ],
)
def test_the_browser_opens_where_the_server_is(
    options: dict[str, object], address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"server.port": 8502, "server.baseUrlPath": "", "server.headless": False} | options
    opened: list[str] = []
    monkeypatch.setattr(st, "get_option", given.get)
    monkeypatch.setattr(st.runtime, "exists", lambda: True)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    command._announce()
    assert opened == [address] * bool(address)
    assert f"is at {address or 'http://localhost:8502'}" in capsys.readouterr().out


def run(*options: str, where: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in a folder, with these settings alone."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("EMBTOOLS", "STREAMLIT"))}
    environment = clean | settings | {"PYTHONPATH": str(Path(__file__).parents[2])}
    program = [sys.executable, "-m", "embtools", *options]
    return subprocess.run(program, cwd=where, env=environment, capture_output=True, text=True, timeout=60)
