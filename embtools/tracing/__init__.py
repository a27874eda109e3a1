"""Activation patching: at which layer and position the difference between two runs acts on an answer."""
