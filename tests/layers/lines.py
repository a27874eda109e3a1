"""A word of two senses in four sentences."""

LINES = (
    "money | The bank works as a capital.",
    "money | A king works, a bank works.",
    "river | The river, a green bank.",
    "river | The blue bank of a red river!",
)
