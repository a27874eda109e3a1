"""The panels of the Attention page by their permanent keys."""

from embtools.ui.attention import attended_words, one_head, tasks, whole_layer

PANELS = {"words": attended_words, "head": one_head, "tasks": tasks, "layer": whole_layer}
