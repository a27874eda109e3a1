"""Training text made from other text by rules: what visitors ask about (`python -m embtools.pretrain.sentences`)."""
