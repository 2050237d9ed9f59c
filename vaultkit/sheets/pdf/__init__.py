"""Tagged PDF documents, their form fields, metadata and output files."""
