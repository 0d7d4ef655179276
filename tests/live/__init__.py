"""Tests of the drivers of live runs."""
