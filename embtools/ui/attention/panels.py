"""The panels of the Attention page by their permanent keys."""

from embtools.ui.attention import attended_words, attribution, one_head, tasks, whole_layer

PANELS = {
    "words": attended_words,
    "head": one_head,
    "tasks": tasks,
    "attribution": attribution,
    "layer": whole_layer,
}
