#ifndef IOLENS_TEXTS_H
#define IOLENS_TEXTS_H

/* In a forked child: numbers begin anew. */
void texts_forget(void);

#endif
