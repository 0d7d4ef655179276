"""Ray Train V2 on a local cluster of Ray, a raylet for each node of the scenario."""
