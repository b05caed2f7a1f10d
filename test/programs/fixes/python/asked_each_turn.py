# FIX repeated-questions trade: a file that nothing in the loop makes or removes
import os

open("table", "w").close()
found = 0
for step in range(200):
    there = os.path.exists("table")  # HERE
    found += there * step
print(found, there)
