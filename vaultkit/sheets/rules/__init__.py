"""Rule notes and other notes printed for reading, with titles and contents."""
