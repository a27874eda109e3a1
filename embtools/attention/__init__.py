"""Attention: what a word looks at, head by head, which head does a job, and what the answer hangs on."""
