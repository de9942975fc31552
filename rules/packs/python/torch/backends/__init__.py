# Settings of backends; none changes a dtype.
