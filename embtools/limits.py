"""How much may be asked for at once: the one check, and the one sentence, of every limit on a number of things."""


def within(count: int, most: int, what: str, least: int = 1) -> None:
    """Raise ValueError unless least <= count <= most; `what` is counted, in the plural: "neighbours".

    >>> within(0, 50, "neighbours")
    Traceback (most recent call last):
    ValueError: 0 neighbours were asked for; choose 1 to 50.
    """
    if not least <= count <= most:
        raise ValueError(f"{count} {what} were asked for; choose {least} to {most:,}.")
