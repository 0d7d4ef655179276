"""Parts that all hosts of other projects' code share."""
