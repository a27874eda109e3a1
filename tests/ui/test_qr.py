"""QR codes: which address they contain, and that the image shows it."""

import re
import socket
from html import unescape
from urllib.parse import unquote

import pytest
import segno

from embtools.ui import qr, share


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch):
    """A server at 192.168.1.5, started with this --server.address."""

    def start(option: str | None = None, own: str = "192.168.1.5") -> None:
        monkeypatch.setattr(qr, "own_address", lambda: own)
        monkeypatch.setattr(qr.st, "get_option", lambda name: option if name == "server.address" else None)

    return start


@pytest.mark.parametrize("host", ["LOCALHOST", "app.localhost", "127.1.2.3", "[::1]", "0.0.0.0"])
def test_an_address_that_means_the_machine_itself_is_replaced(at_home, host):
    at_home()
    assert qr.for_phones(f"http://{host}:8501/bias?bias_k=3&x=localhost") == (
        "http://192.168.1.5:8501/bias?bias_k=3&x=localhost"
    )
    assert qr.for_phones(f"https://{host}/bias") == "https://192.168.1.5/bias"


@pytest.mark.parametrize(
    "url", ["https://localhost.example.org/bias", "http://10.0.0.7:8501/", "https://[2001:db8::1]/"]
)
def test_any_other_address_stays(at_home, url):
    at_home("127.0.0.1")
    assert qr.for_phones(url) == url


@pytest.mark.parametrize("option, own", [("127.0.0.1", "192.168.1.5"), ("localhost", "192.168.1.5"), (None, "")])
def test_phones_cannot_reach_a_server_that_answers_only_on_its_machine(at_home, option, own):
    at_home(option, own)
    assert qr.for_phones("http://localhost:8501/bias") == ""


@pytest.mark.parametrize("option", ["0.0.0.0", "::", "192.168.1.5"])
def test_phones_reach_a_server_that_answers_in_the_network(at_home, option):
    at_home(option)
    assert qr.for_phones("http://localhost:8501/bias").startswith("http://192.168.1.5:8501/")


def test_the_address_of_the_machine_is_one_of_its_own_and_not_the_local_one():
    found = qr.own_address()
    if not found:
        pytest.skip("this machine has no network")
    assert not found.startswith("127.")
    with socket.socket() as own:
        own.bind((found, 0))  # only an address of this machine can be bound


def test_a_machine_without_a_network_has_no_address(monkeypatch):
    class Broken(socket.socket):
        def connect(self, address):
            raise OSError("Network is unreachable")

    monkeypatch.setattr(qr.socket, "socket", Broken)
    assert qr.own_address() == ""


def modules(html: str) -> list[list[int]]:
    """The dark squares of a drawn code, read from the path in its image: rows of 0 and 1."""
    svg = unquote(unescape(re.search(r'src="data:image/svg\+xml[^,]*,([^"]+)"', html)[1])).replace("'", '"')
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    drawn = [[0] * side for _ in range(side)]
    (path,) = re.findall(r'<path[^>]*stroke="#000"[^>]* d="([^"]+)"|<path[^>]* d="([^"]+)"[^>]*stroke="#000"', svg)
    x = y = 0.0
    for step, numbers in re.findall(r"([Mmh])([-\d. ]+)", "".join(path)):
        values = [float(number) for number in numbers.split()]
        if step == "h":
            for column in range(int(x), int(x + values[0])):
                drawn[int(y)][column] = 1
            x += values[0]
        else:
            x, y = (values[0], values[1]) if step == "M" else (x + values[0], y + values[1])
    return drawn


def test_the_picture_shows_the_code_of_the_address_with_a_margin_and_a_description():
    address = "http://192.168.1.5:8501/bias?bias_k=3"
    html = qr.picture(address, 'A code <b>"x"</b>')
    assert html.startswith("<img ") and "&lt;b&gt;&quot;x&quot;&lt;/b&gt;" in html and "<b>" not in html
    expected = [
        [int(bool(module)) for module in row] for row in segno.make_qr(address, error="l").matrix_iter(border=4)
    ]
    assert modules(html) == expected
    assert not any(map(any, expected[:4])) and any(map(any, expected))


def offered(visit, monkeypatch, url: str, **query):
    """The Link popover of a page that the browser shows at this address."""
    monkeypatch.setattr(type(share.st.context), "url", url)
    at = visit("similarity", similarity_tab="odd", **query)
    at.session_state["share-link"] = True
    return at.run()


def codes(at) -> list[str]:
    return [html.proto.body for html in at.get("html") if 'class="qr"' in html.proto.body]


def test_the_link_of_a_page_comes_with_its_code(visit, monkeypatch):
    at = offered(visit, monkeypatch, "https://bert.example.org/similarity")
    (code,) = codes(at)
    assert "https://bert.example.org/similarity?" in code and "localhost" not in code
    assert at.says("The code contains only the link above.") and not at.says("in the same network")


@pytest.mark.parametrize("page", ["", "about"])
def test_home_and_about_have_a_link_with_a_code_too(visit, monkeypatch, page):
    monkeypatch.setattr(type(share.st.context), "url", f"https://bert.example.org/{page}")
    at = visit(page, tables="false")
    at.session_state["share-link"] = True
    (code,) = codes(at.run())
    assert f"https://bert.example.org/{page}" in code and at.says("This link reopens the page")


def test_at_home_the_code_contains_the_address_in_the_network(visit, monkeypatch):
    get_option = qr.st.get_option
    monkeypatch.setattr(qr, "own_address", lambda: "192.168.1.5")
    monkeypatch.setattr(qr.st, "get_option", lambda name: None if name == "server.address" else get_option(name))
    at = offered(visit, monkeypatch, "http://localhost:8501/similarity")
    (code,) = codes(at)
    assert "http://192.168.1.5:8501/similarity?" in code and "localhost" not in code
    assert at.says("Only phones in the same network can open it")
    assert any(block.value.startswith("http://192.168.1.5:8501/similarity?") for block in at.code)
    monkeypatch.setattr(qr, "own_address", lambda: "")
    at = offered(visit, monkeypatch, "http://localhost:8501/similarity")
    assert not codes(at) and at.says("phones cannot reach this app")


def test_a_link_that_is_too_long_for_a_code_has_none(visit, monkeypatch):
    words = ", ".join(["red", "green", "blue"] * 40)
    at = offered(visit, monkeypatch, "https://bert.example.org/similarity", similarity_odd=words)
    assert not codes(at) and at.says("There is no QR code, because this link has")
