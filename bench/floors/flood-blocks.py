"""Prints a gigabyte in large writes: the script costs almost nothing, so the row measures the transport of its output."""
import sys

block = ("x" * 99 + "\n") * 10_000
for _ in range(1_000):
    sys.stdout.write(block)
