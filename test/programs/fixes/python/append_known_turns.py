# FIX open-close-in-loop trade: the loop makes turns, and a flush does what the close did
for step in range(20):
    with open("out", "a") as log:  # HERE
        log.write("step ")
        log.write(f"{step}\n")
print(open("out").read())
