"""Prints a gigabyte in large writes: the script costs next to nothing, the way of its output is all there is."""
import sys

block = ("x" * 99 + "\n") * 10_000
for _ in range(1_000):
    sys.stdout.write(block)
