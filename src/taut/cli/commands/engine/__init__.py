"""Commands on taut itself: compiled code, health, speed, published cases."""
