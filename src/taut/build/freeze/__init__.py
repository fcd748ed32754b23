"""From what was collected to frozen tables: order, indices, names, signals."""
