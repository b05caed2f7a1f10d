# FIX open-close-in-loop trade: the with is left with the loop
def run(path):
    for name in ("a", "b", "c"):
        with open(path, "a", encoding="utf-8") as log:  # HERE
            print(name, file=log)
            if name == "b":
                break


run("out")
print(open("out").read())
