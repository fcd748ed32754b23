"""Views of a result: plots, films, reports, exports and the player in the browser."""
