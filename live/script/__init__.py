"""The training script, and what it tells the driver."""
