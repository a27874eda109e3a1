"""Concepts in BERT's hidden states: probes that read them, and directions that find, erase and steer them."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "directions.erasing": ["erase"],
        "directions.find": ["find_direction"],
        "directions.steering": ["steer"],
        "directions.sweeping": ["sweep"],
        "probing.description_length": ["describe_layers"],
        "probing.layers": [
            "Probes",
            "items_table",
            "probe_combinations",
            "probe_fewer",
            "probe_layers",
            "probe_mistakes",
            "try_probe",
        ],
    },
)
