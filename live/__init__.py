"""`aftershock live`: a scenario on real processes, under the real controllers."""
