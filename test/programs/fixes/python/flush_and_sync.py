# FIX sync-after-every-write example: each record is acknowledged
import os

with open("out", "w") as journal:
    for step in range(3):
        journal.write(f"{step}\n")
        journal.flush()
        os.fsync(journal.fileno())  # HERE
        print("safe", step)
