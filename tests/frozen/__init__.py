"""Recordings of what vaultkit does, to compare with after changes that must not change it: see record.py."""
