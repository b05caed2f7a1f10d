# FIX repeated-questions example: the loop makes the file
import os

found = 0
for step in range(20):
    there = os.path.exists("table")  # HERE
    found += there * step
    if step == 10:
        open("table", "w").close()
print(found)
