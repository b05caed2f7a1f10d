# FIX flush-after-every-record example: a full disk is handled record by record
saved = 0
with open("out", "w") as log:
    for step in range(5):
        try:
            log.write(f"{step}\n")
            log.flush()  # HERE
            saved += 1
        except OSError:
            break
print(saved)
