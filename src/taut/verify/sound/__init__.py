"""Statics, friction and starts, against closed forms and by random machines."""
