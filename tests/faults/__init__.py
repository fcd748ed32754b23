"""Planted faults: which of them the audit finds."""
