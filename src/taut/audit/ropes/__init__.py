"""What the audit recomputes of ropes over guides and on drums."""
