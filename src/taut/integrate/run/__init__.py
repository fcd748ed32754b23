"""Around a run: journal, interruption, moments kept for the audit, texts."""
