"""Attention: what words attend to, which head does a task best, what an answer depends on, and a whole layer."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "attention.attended": ["attended_words"],
        "attention.head_steps": ["one_head"],
        "attention.layer_parts": ["whole_layer"],
        "attention.neuron_uses": ["neuron_sentences"],
        "attention.reading": ["read_all"],
        "attention.strongest_neurons": ["neurons"],
        "attention.tasks": ["scores"],
    },
)
