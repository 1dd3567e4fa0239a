"""Reports on the files of the current folder: kinds, lines, the longest, and what is left to do.

    ./talaria run examples/repo-report.py

One terminal call lists the files, one read_file call each reads the largest of them, eight at a time. The model that
asked would see the report below and none of the files.
"""
import collections
import concurrent.futures
import os

from hermes_tools import read_file, terminal

LISTING = "git ls-files 2>/dev/null || find . -type f -not -path '*/.git/*' -not -path '*/target/*'"
MOST = 40  # a script may make 50 calls unless it asks for more


def size(path):
    return os.path.getsize(path) if os.path.isfile(path) else 0


files = [path for path in terminal(LISTING)["output"].splitlines() if size(path)]
kinds = collections.Counter(os.path.splitext(path)[1] or "(none)" for path in files)
largest = sorted(files, key=size, reverse=True)[:MOST]

with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
    results = dict(zip(largest, pool.map(read_file, largest)))

texts = {path: result for path, result in results.items() if "content" in result}
todo = sum(line.count("TODO") for result in texts.values() for line in result["content"].splitlines())

print(f"{len(files)} files, {sum(map(size, files)) // 1024} KiB: " + ", ".join(f"{n} {k}" for k, n in kinds.most_common(4)))
print(f"The longest of the {len(texts)} largest texts:")
for path, result in sorted(texts.items(), key=lambda item: -item[1]["total_lines"])[:5]:
    print(f"  {result['total_lines']:5} lines  {path}")
print(f"Notes that say TODO: {todo}")
