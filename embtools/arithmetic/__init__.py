"""The numbers of the Arithmetic page: edits with their controls, strength curves, layers, and analogies."""
