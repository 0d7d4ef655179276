"""torchrun: PyTorch's elastic agents as they are, one process a node."""
