"""Prints a gigabyte, line by line, as most scripts print."""
line = "x" * 99
for _ in range(10_000_000):
    print(line)
