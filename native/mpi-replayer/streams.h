/* Operations on C streams. */
#ifndef REPLAYER_STREAMS_H
#define REPLAYER_STREAMS_H

/* `seed`: of the places that random reads choose. */
void streams_begin(int seed);
void stream_open(void);
void stream_close(void);
void stream_transfer(int is_read);

#endif
