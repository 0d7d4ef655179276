"""Drivers of live runs: the plan, processes, faults, and what is told of them."""
