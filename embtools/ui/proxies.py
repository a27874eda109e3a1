"""Visitors behind a proxy: their addresses are read from its header, if the host has named the proxy."""

import logging
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from embtools import settings

_HEADER, _OWN, _IPV4 = b"x-forwarded-for", "127.0.0.1", "::ffff:"
_PRIVATE = [ip_network(each) for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")]


def middleware() -> list[Any]:
    """Return what `st.App` needs in order to know visitors by their own addresses."""
    return [(Proxies, (), {"named": settings.current().proxies})]


class Proxies:
    """ASGI middleware that replaces the address of a named proxy by that of its visitor.

    The header is read from its end, where the proxy writes: what a visitor has put into it is ignored. A server that
    listens in all networks, as it does by default, sees an IPv4 address as ::ffff:192.0.2.7, and no list names it so.
    """

    def __init__(self, app: Any, named: str) -> None:
        self.app = ProxyHeadersMiddleware(app, ",".join(filter(None, (_OWN, named))))
        self.warned = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        host, port = scope.get("client") or ("", 0)
        if host.startswith(_IPV4):
            scope["client"] = (host.removeprefix(_IPV4), port)
        if scope["type"] == "http" and not self.warned:
            self._warn(scope)
        await self.app(scope, receive, send)

    def _warn(self, scope: Any) -> None:
        """Tell the host once about a proxy that is not named: its visitors count as one and share their limits."""
        host = (scope.get("client") or ("",))[0]
        listed = [value.decode("latin1") for name, value in scope["headers"] if name == _HEADER]
        if not listed or not _is_private(host) or host in self.app.trusted_hosts:
            return
        if host in map(str.strip, listed[-1].split(",")):
            return
        self.warned = True
        logging.getLogger(__name__).warning(
            "Requests come from %s with the header X-Forwarded-For, which is ignored. If this is your proxy, name it in"
            " EMBTOOLS_PROXIES; otherwise all its visitors share the limits of one address.",
            host,
        )


def _is_private(host: str) -> bool:
    try:
        return any(ip_address(host) in network for network in _PRIVATE)
    except ValueError:
        return False
