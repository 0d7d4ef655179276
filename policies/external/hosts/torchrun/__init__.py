"""torchrun: PyTorch's elastic agents, one a node, with their rendezvous, hosted."""
