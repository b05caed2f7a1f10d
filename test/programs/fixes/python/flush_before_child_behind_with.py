# FIX flush-after-every-record example: a child process may read the file
import subprocess

with open("out", "w") as log:
    for step in range(5):
        log.write(f"{step}\n")
        log.flush()  # HERE
        print(subprocess.run(["wc", "-l", "out"], capture_output=True, text=True).stdout.split()[0])
