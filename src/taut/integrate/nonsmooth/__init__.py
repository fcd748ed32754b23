"""The non-smooth methods: steps through impacts and slack, without stopping at them."""
