"""What the app asks of its process, and the library never does: threads that wait quietly, no log, short pauses."""

import gc
import logging
import os

SETTINGS = {
    # Threads that wait actively make a second visitor's forward pass ten times slower on a small host.
    "OMP_WAIT_POLICY": "PASSIVE",
    # One core is left to the server.
    "OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 2) - 1)),
    # Nobody reads the server's log for progress bars and for warnings about parts that a model does not have.
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}


def prepare() -> None:
    """Set what torch, scikit-learn and transformers read once, when they are imported; call it before.

    A variable that whoever runs the app has set stays as it is.
    """
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    # It warns of every thread that belongs to no visitor, as those of `warm` do, which show nothing.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)


def settle() -> None:
    """Take all objects there are out of the garbage collection; call it after a model is loaded.

    A full collection takes 0.2 s over the objects of torch and transformers, and holds up every visitor.
    """
    gc.collect()
    gc.freeze()
