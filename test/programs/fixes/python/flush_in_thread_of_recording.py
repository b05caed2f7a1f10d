# FIX flush-after-every-record example threaded: the recording saw several threads write
with open("out", "w") as log:
    for step in range(5):
        log.write(f"{step}\n")
        log.flush()  # HERE
