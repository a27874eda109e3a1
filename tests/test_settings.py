"""The settings of a host: types, defaults, limits, and what the console says about a wrong value."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embtools import settings

ROOT = Path(__file__).parents[1]


def read(**values: str) -> settings.Settings:
    with pytest.MonkeyPatch.context() as patch:
        for name in settings.NAMES:
            patch.delenv(name, raising=False)
        for name, value in values.items():
            patch.setenv(f"EMBTOOLS_{name.upper()}", value)
        return settings.current()


def test_the_defaults() -> None:
    now = read()
    assert (now.models, now.corpora, now.small, now.results_mb, now.visitors) == ("", "", False, 224, 0)
    assert (now.offline, now.metrics_port, now.metrics_address, now.rooms) == (False, 0, "127.0.0.1", "memory")
    assert now.legal_link == now.privacy_link == now.code_link == "" and now.cache.name == "embtools"


def test_every_value_is_read_with_its_type() -> None:
    now = read(
        models="bundled", cache="/var/cache/e", small="1", results_mb="64", visitors="30", offline="yes",
        metrics_port="9100", metrics_address="0.0.0.0", legal_link="https://example.org/legal",
        privacy_link="https://example.org/privacy?lang=en", rooms="redis://:secret@redis:6379/0",
        proxies="10.0.0.0/8, 192.168.1.7",
    )  # fmt: skip
    assert now.cache == Path("/var/cache/e") and now.small and now.offline
    assert (now.results_mb, now.visitors, now.metrics_port, now.metrics_address) == (64, 30, 9100, "0.0.0.0")
    assert now.legal_link == "https://example.org/legal" and now.privacy_link.endswith("lang=en")
    assert now.rooms == "redis://:secret@redis:6379/0" and now.models == "bundled"
    assert now.proxies == "10.0.0.0/8,192.168.1.7"


def test_small_mode_changes_the_defaults_only() -> None:
    assert (read(small="1").models, read(small="1").results_mb) == ("bundled", 48)
    assert read(small="1", results_mb="100").results_mb == 100
    assert read(small="0").results_mb == 224


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("results_mb", "31", "must be a whole number from 32 to 100,000"),
        ("visitors", "many", "'many', but must be a whole number from 0"),
        ("visitors", "-1", "must be a whole number"),
        ("metrics_port", "65536", "from 0 to 65,535"),
        ("metrics_address", "a b", "must be an address such as"),
        ("small", "maybe", "must be 1 (on) or 0 (off)"),
        ("legal_link", "http://example.org", "must be a link that begins with https://"),
        ("privacy_link", "https://", "https://"),
        ("code_link", "javascript:alert(1)", "https://"),
        ("privacy_link", "https://e.org/" + "x" * 500, "at most 500"),
        ("privacy_link", 'https://e.org/"><script>', "https://"),
        ("cache", __file__, "which cannot be a folder"),
        ("rooms", "http://redis", "must be memory, or an address"),
        ("proxies", "*", "must be addresses and networks such as 10.0.0.0/8"),
        ("proxies", "10.0.0.0/8, proxy.example.org", "must be addresses and networks"),
        ("proxies", "10.0.0.1/8", "must be addresses and networks"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name(name: str, value: str, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        read(**{name: value})
    assert f"EMBTOOLS_{name.upper()} " in str(caught.value) and says in str(caught.value)


def test_all_wrong_values_are_named_at_once_and_a_password_never() -> None:
    with pytest.raises(ValueError, match=r"EMBTOOLS_VISITORS .*EMBTOOLS_ROOMS ") as caught:
        read(rooms="reds://:secret@redis", visitors="x")
    assert "secret" not in str(caught.value)


@given(st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=40))
@example("https://[")
@example("~0")
def test_odd_values_are_read_or_refused_with_a_sentence(value: str) -> None:
    for variable in settings.VARIABLES:
        try:
            variable.read(value)
        except ValueError as error:
            assert str(error).startswith(("is ", "must be ")), variable.name


def test_a_folder_of_texts_that_is_missing_stops_the_start(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    assert settings.check({"EMBTOOLS_CORPORA": f"{tmp_path}, s3://lab/news"}) == []
    with pytest.raises(ValueError, match="is not a folder"):
        settings.check({"EMBTOOLS_CORPORA": f"{tmp_path}, {missing}"})


def test_the_files_of_dictionaries_must_exist(tmp_path):
    file = tmp_path / "one.safetensors"
    file.touch()
    assert settings.check({"EMBTOOLS_DICTIONARIES": f" {file},"}) == []
    with pytest.raises(ValueError, match="EMBTOOLS_DICTIONARIES names .*, which is not a file"):
        settings.check({"EMBTOOLS_DICTIONARIES": f"{file}, {tmp_path}"})


def test_a_misspelled_name_is_a_warning() -> None:
    """No error, because some hosts put names of their own into the environment, such as EMBTOOLS_SERVICE_HOST."""
    (warning,) = settings.check({"EMBTOOLS_VISITOR": "3"})
    assert warning == "EMBTOOLS_VISITOR is not a setting of this app and is ignored. Did you mean EMBTOOLS_VISITORS?"
    assert settings.check({"EMBTOOLS_TESTS": "/tmp", "HOME": "/root"}) == []


def test_the_documentation_prints_the_same_table() -> None:
    assert settings.table() in (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_only_this_module_reads_the_environment() -> None:
    # These set what is read elsewhere.
    writes = {"embtools/ui/command.py", "embtools/ui/host.py", "embtools/ui/prepare_answers.py", "training/loop.py"}
    readers = {
        path.relative_to(ROOT).as_posix()
        for folder in ("embtools", "training")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.getenv")
    }
    assert readers == {"embtools/settings.py", *writes}


@pytest.mark.slow
def test_the_start_stops_with_the_reasons_and_without_a_traceback() -> None:
    environment = os.environ | {"EMBTOOLS_VISITORS": "many", "EMBTOOLS_LEGAL_LINK": "ftp://a"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", "--server.port=0"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "The app cannot start. EMBTOOLS_VISITORS is 'many'" in done.stderr and "EMBTOOLS_LEGAL_LINK" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    done = subprocess.run(
        [sys.executable, "-c", "from embtools.ui import host; host.prepare()"],
        cwd=ROOT, env=os.environ | {"EMBTOOLS_MODELS": "bert-huge"}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.strip() == (
        "The app cannot start. EMBTOOLS_MODELS names 'bert-huge', which is neither a known model nor a folder."
        " Correct the name."
    )


def test_the_top_level_entries_of_streamlits_secrets_are_settings(tmp_path: Path) -> None:
    """As on Community Cloud, which has no other way to change them."""
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text('EMBTOOLS_VISITORS = "fifteen"\n')
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", "--server.port=0"]
    environment = os.environ | {"HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "EMBTOOLS_VISITORS is 'fifteen'" in done.stderr
