"""Concepts in BERT's hidden states: probes that read them, and directions that find, erase and steer them."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "concepts.description_length": ["describe_layers"],
        "concepts.direction": ["find_direction"],
        "concepts.erasing": ["erase", "sweep"],
        "concepts.layer_probes": ["probe_combinations", "probe_fewer", "probe_layers", "probe_mistakes"],
        "concepts.probes": ["Probes", "items_table", "try_probe"],
        "concepts.steering": ["steer"],
    },
)
