# FIX flush-after-every-record example: another module hands its own file to the function under another name
def write_record(out, step):
    out.write("step %d\n" % step)
    out.flush()  # HERE
