# FIX open-close-in-loop example: each turn has a file of its own
for step in range(5):
    with open(f"out{step % 2}", "a") as state:  # HERE
        state.write(f"{step}\n")
