"""The app of the wheel, started with its command in an empty folder."""

from pathlib import Path

import pytest

from tests import environment
from tests.browser.conftest import ROOT, Visitors


@pytest.mark.slow
def test_the_wheel_brings_an_app_with_its_pages_and_the_settings_of_streamlit(
    visitor: Visitors, tmp_path: Path
) -> None:
    own = environment.fresh(tmp_path / "environment", environment.shared_wheel(), extras=["app"])
    empty = tmp_path / "empty"
    empty.mkdir()
    app = Path(own.run("from embtools.ui import command; print(command.app())", where=empty).strip())
    assert app.is_relative_to(own.home)
    files = [ROOT / "app.py", ROOT / ".streamlit/config.toml", *(ROOT / "pages").glob("*.py")]
    assert all((app.parent / each.relative_to(ROOT)).read_bytes() == each.read_bytes() for each in files)
    command = [own.home / "bin" / "embtools", "--no-browser", "--offline", "--host", "127.0.0.1", "--port", "0"]
    with environment.started(*command, where=empty, log=tmp_path / "log") as address:
        tab = visitor(address)
        tab.open("")
        assert tab.page.locator("h1").first.inner_text() == "BERT Embedding Explorer"
        assert tab.page.locator("[data-testid=stSidebarNav]").count() == 0  # .streamlit/config.toml hides it
        tab.open("similarity")
        assert tab.page.locator("h1").first.inner_text() == "Similarity"
    assert list(empty.iterdir()) == []
