"""QR codes: the address at which phones reach this app, and the code of an address as a picture."""

import ipaddress
import socket
from html import escape
from urllib.parse import urlsplit

import streamlit as st

MOST = 300
"""Maximum number of characters of an address in a code: from the back of a room, phones cannot read larger codes."""

_EVERYWHERE = ("", "0.0.0.0", "::")  # values of server.address with which the server answers in all networks
_ELSEWHERE = "192.0.2.1"  # an address for documentation (RFC 5737), which belongs to nobody


def for_phones(url: str) -> str:
    """Return the address at which a phone reaches what this browser shows at `url`, in the local network instead of
    localhost; "" if no phone can."""
    parts = urlsplit(url)
    if not parts.hostname or not _is_local(parts.hostname):
        return url
    own, listens = own_address(), str(st.get_option("server.address") or "")
    if not own or listens not in (*_EVERYWHERE, own):
        return ""
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{own}{port}").geturl()


def own_address() -> str:
    """Return the address of this machine in its network, "" if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE, 9))  # chooses a network, sends nothing
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if _is_local(address) else address


def picture(address: str, alt: str) -> str:
    """Return the QR code of an address as HTML: black on white in every theme, with its margin."""
    import segno

    code = segno.make_qr(address, error="l", boost_error=True)
    # As an image: st.html removes SVG elements.
    drawn = code.svg_data_uri(border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    return f'<img class="qr" src="{escape(drawn)}" alt="{escape(alt)}">'


def _is_local(host: str) -> bool:
    """Return whether a host name means the machine itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
