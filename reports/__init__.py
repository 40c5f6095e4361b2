"""Pictures, reports and pages (code). May import everything but `cli`."""
