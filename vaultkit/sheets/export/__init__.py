"""Export of sheets other than as plain PDF: pictures of pages, and files for print services."""
