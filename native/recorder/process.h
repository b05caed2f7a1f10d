#ifndef IOLENS_PROCESS_H
#define IOLENS_PROCESS_H

/* Makes threads write their events when they end. */
void calls_begin(void);

#endif
