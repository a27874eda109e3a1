"""The models on offer, how they are opened, and a loaded one as arrays and forward passes."""
