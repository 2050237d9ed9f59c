"""Printed recaps of logged games and readings."""
