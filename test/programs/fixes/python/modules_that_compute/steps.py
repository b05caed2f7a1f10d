def total(step):
    return step * (step + 1) // 2
