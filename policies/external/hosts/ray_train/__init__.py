"""Ray Train V2: its TrainController with all that it is made of, hosted."""
