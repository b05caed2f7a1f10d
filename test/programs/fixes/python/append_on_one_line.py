# FIX open-close-in-loop example: statements share a line
for step in range(3):
    with open("out", "a") as log: log.write(f"{step}"); log.write("\n")  # HERE
print(open("out").read())
