"""Codes, keys and tokens: random, readable, and stored as digests."""

from hypothesis import given
from hypothesis import strategies as st

from embtools.rooms import codes


def test_codes_are_random_and_people_can_type_them():
    drawn = [codes.new_code() for _ in range(300)]
    assert len(set(drawn)) == 300 and set("".join(drawn)) == set(codes.ALPHABET)
    assert not set("IL1O0") & set(codes.ALPHABET)
    assert all(codes.read_code(code) == codes.read_code(codes.shown(code).lower()) == code for code in drawn)


def test_nobody_finds_a_room_by_trying():
    """With 300 rooms and 10,000 tries per second for three hours: a chance of less than 4%."""
    assert 300 * 10_000 * 3 * 3600 / len(codes.ALPHABET) ** codes.LENGTH < 0.04


@given(st.text(max_size=60))
def test_any_text_is_a_code_or_nothing(text):
    read = codes.read_code(text)
    assert read == "" or (len(read) == codes.LENGTH and set(read) <= set(codes.ALPHABET))


def test_secrets_are_long_and_their_digests_do_not_contain_them():
    secrets = {codes.new_secret() for _ in range(100)}
    assert len(secrets) == 100 and all(len(secret) >= 22 for secret in secrets)
    assert not any(codes.digest(secret) in secret or secret in codes.digest(secret) for secret in secrets)
    assert codes.digest("a") == codes.digest("a") != codes.digest("b")
