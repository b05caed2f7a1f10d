int save(const char *name, int count);
