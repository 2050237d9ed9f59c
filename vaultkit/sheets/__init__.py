"""Printed sheets: cards, rules, score sheets, recaps and player aids as PDF files."""
