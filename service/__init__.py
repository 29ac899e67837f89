"""Everything that touches a network, a disk or a clock."""
