"""The numbers of the Arithmetic page: edits with their controls, curves and layers; honest analogies."""
