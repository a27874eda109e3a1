"""Processed spaces: centred, z-scored, all-but-the-top, whitened, conceptor negation; most need only moments."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "spaces.of_model": ["in_space"],
        "spaces.space": ["Space"],
    },
)
