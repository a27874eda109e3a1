"""Attention: what words attend to, which head does a task best, what an answer depends on, and a whole layer."""
