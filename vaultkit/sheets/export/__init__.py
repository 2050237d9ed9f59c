"""Sheets as other things than PDFs: pictures of pages, and files for print services."""
