# FIX open-close-in-loop example: a turn that is cut short closes the file as well
for step in range(5):
    with open("out", "a") as log:  # HERE
        log.write(f"{step}\n")
        if step % 2:
            continue
        log.write("even\n")
print(open("out").read())
