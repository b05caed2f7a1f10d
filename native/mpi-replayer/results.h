/* What the rank measured, as src/session/replay/rank-processes.ts reads it. */
#ifndef REPLAYER_RESULTS_H
#define REPLAYER_RESULTS_H

#include <stdio.h>

/* NULL before they are opened. */
extern FILE *results;

void measured(const char *operation, char direction, char effect, int is_io, long long asked, long long moved,
              double seconds);
/* The same for a call that moves no data. */
void plain(char effect, double began);
/* Writes what was only counted so far. */
void report_measures(void);

#endif
