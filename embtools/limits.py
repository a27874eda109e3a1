"""How much may be asked for at once: the one check, and the one sentence, of every limit on a number of things."""


def within(count: int, most: int, what: str) -> None:
    """Raise ValueError unless 1 <= count <= most; `what` is counted, in the plural: "neighbours".

    >>> within(0, 50, "neighbours")
    Traceback (most recent call last):
    ValueError: 0 neighbours were asked for; choose 1 to 50.
    """
    if not 1 <= count <= most:
        raise ValueError(f"{count} {what} were asked for; choose 1 to {most:,}.")
