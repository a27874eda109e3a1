"""Limits on how often something may happen, so that nobody can try codes or flood a room."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_address, ip_network

_MOST_SENDERS = 10_000  # the one that was silent for longest is forgotten


class Rate:
    """For each sender, at most `burst` events at once and `per_second` on average."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._per_second, self._clock = burst, per_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # sender → events left, and when
        self._lock = threading.Lock()

    def allows(self, sender: str, cost: float = 1) -> bool:
        """Return whether this sender may do it now, and count it if so; with a cost of 0 it is only looked up."""
        now = self._clock()
        with self._lock:
            left, then = self._left.pop(sender, (self._burst, now))
            left = min(self._burst, left + (now - then) * self._per_second)
            allowed = left >= max(cost, 1)
            self._left[sender] = left - cost if allowed else left, now
            if len(self._left) > _MOST_SENDERS:
                self._left.popitem(last=False)
            return allowed


def sender_of(host: str) -> str:
    """Return who is counted as one sender: an IPv4 address, or the network to which an IPv6 address belongs.

    >>> sender_of("192.168.1.5"), sender_of("2001:db8:1:2:3::4")
    ('192.168.1.5', '2001:db8:1:2::/64')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host[:40]
    address = getattr(address, "ipv4_mapped", None) or address
    return str(address) if address.version == 4 else str(ip_network(f"{host.partition('%')[0]}/64", strict=False))
