# FIX flush-after-every-record trade: nobody else reads the log
with open("out", "w") as log:
    for step in range(50):
        log.write(f"{step}\n")
        log.flush()  # HERE
print(open("out").read())
