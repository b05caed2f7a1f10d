# FIX flush-after-every-record example: what replaces the file is a path's method, not a string's
from pathlib import Path

path = Path("out")
with open(path, "w") as log:
    for step in range(3):
        log.write(f"{step}\n")
        log.flush()  # HERE
        path.replace(f"out{step}")
        path.write_text(Path(f"out{step}").read_text())
