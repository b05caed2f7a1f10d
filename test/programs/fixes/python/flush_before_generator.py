# FIX flush-after-every-record example: the generator that the loop draws from reads the file
def lines():
    for step in range(5):
        yield step + len(open("out").read())


with open("out", "w") as log:
    for step in lines():
        log.write(f"{step}\n")
        log.flush()  # HERE
print(open("out").read())
