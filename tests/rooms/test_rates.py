"""Limits on how often something may happen."""

import pytest

from embtools.rooms import rates
from embtools.rooms.rates import Rate, sender_of


@pytest.fixture
def clock():
    return [0.0]


def test_a_burst_is_allowed_and_then_only_so_much_per_second(clock):
    rate = Rate(3, 0.5, lambda: clock[0])
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.allows("b")
    clock[0] = 1.9
    assert not rate.allows("a")
    clock[0] = 4.0
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    clock[0] = 1_000.0
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]


def test_checking_costs_nothing(clock):
    rate = Rate(1, 0, lambda: clock[0])
    assert all(rate.allows("a", 0) for _ in range(5))
    assert rate.allows("a") and not rate.allows("a", 0)


def test_only_a_limited_number_of_senders_is_stored(monkeypatch, clock):
    monkeypatch.setattr(rates, "_MOST_SENDERS", 3)
    rate = Rate(1, 0, lambda: clock[0])
    for sender in "abcd":
        rate.allows(sender)
    assert len(rate._left) == 3 and not rate.allows("d")


@pytest.mark.parametrize(
    "host, sender",
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("x" * 90, "x" * 40),
    ],
)
def test_an_ipv6_network_is_one_sender(host, sender):
    assert sender_of(host) == sender
