"""Codes of rooms, keys of teachers and tokens of phones: random, and stored only as digests where that is enough."""

import secrets
from hashlib import sha256

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without I, L, O, 0 and 1, which people confuse
LENGTH = 8
"""Characters of a code: among 31⁸ codes nobody finds a room by trying, whatever addresses they try from."""


def new_code() -> str:
    """Return a random code, which people can type."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_secret() -> str:
    """Return a random key or token (128 bits)."""
    return secrets.token_urlsafe(16)


def digest(secret: str) -> str:
    """Return what is stored of a key or token: it cannot be used in place of the secret."""
    return sha256(secret.encode()).hexdigest()[:32]


def read_code(text: str) -> str:
    """Return a code as typed, in capitals and without spaces and hyphens; "" if it cannot be a code.

    >>> read_code(" k7qf-2mxp "), read_code("k7qf"), read_code("k7qf-2mx!")
    ('K7QF2MXP', '', '')
    """
    typed = "".join(sign for sign in text[:40].upper() if not sign.isspace() and sign not in "-–")
    return typed if len(typed) == LENGTH and set(typed) <= set(ALPHABET) else ""


def shown(code: str) -> str:
    """Return a code in two groups, which are easier to read and to type.

    >>> shown("K7QF2MXP")
    'K7QF-2MXP'
    """
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"
