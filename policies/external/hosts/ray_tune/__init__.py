"""Ray Tune: Tuner, tune.run and the TuneController with all that it is made of, hosted."""
import os

# Before Ray is imported: nothing of it may look for a cluster or send usage statistics.
os.environ.update(RAY_ENABLE_AUTO_CONNECT="0", RAY_USAGE_STATS_ENABLED="0")
