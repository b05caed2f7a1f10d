# FIX open-close-in-loop example: the else of the loop opens the file, too
for step in range(5):
    with open("out", "a") as log:  # HERE
        log.write(f"{step}\n")
else:
    with open("out") as log:
        print(log.read())
