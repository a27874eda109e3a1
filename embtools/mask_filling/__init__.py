"""Filling masks with the original embeddings or with edited ones."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "mask_filling.answers": ["fill_mask"],
        "mask_filling.edited_models": ["edited_model", "edited_words"],
        "mask_filling.edits": ["Change"],
        "mask_filling.relations": ["relation"],
        "mask_filling.sampling": ["draw_answers"],
    },
)
