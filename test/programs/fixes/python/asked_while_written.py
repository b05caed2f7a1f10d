# FIX repeated-questions example: what the loop writes makes the file longer
import os

found = 0
with open("table", "w", buffering=1) as out:
    for step in range(20):
        size = os.path.getsize("table")  # HERE
        found += size * step
        out.write("line\n")
print(found)
