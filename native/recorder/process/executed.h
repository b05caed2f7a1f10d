#ifndef IOLENS_EXECUTED_H
#define IOLENS_EXECUTED_H

/*
 * What is about to be executed, with this environment: when it will not be recorded the user is told why, as far as that is
 * cheap to know. `path` may be a name that is looked for in PATH.
 */
void note_executed(const char *path, bool in_path, char *const environment[]);

#endif
