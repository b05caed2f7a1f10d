# FIX repeated-questions example: where there is no step, the name keeps what it stood for
import os

there = "unknown"
for step in []:
    there = os.path.exists("table")  # HERE
    print(step)
print(there)
