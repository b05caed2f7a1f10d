"""100 rows of a data base, each committed by itself, or all together."""
import os
import sqlite3

from workload import REPAIRED, run


def workload():
    if os.path.exists("truth.db"):
        os.unlink("truth.db")
    base = sqlite3.connect("truth.db")
    base.execute("create table steps (step int, value real)")
    for step in range(100):
        base.execute("insert into steps values (?, ?)", (step, step * 0.5))
        if not REPAIRED:
            base.commit()  # PLANTED L39|L01
    base.commit()
    base.close()


run(lambda: None, workload)
