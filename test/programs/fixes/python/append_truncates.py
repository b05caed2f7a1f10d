# FIX open-close-in-loop example: each open empties the file
for step in range(5):
    with open("out", "w") as state:  # HERE
        state.write(f"{step}\n")
