"""Printed reference cards and player aids."""
