/*
 * What the programs of this folder call in the depth of their stacks: takes the stack down by the compiler's own unwinder
 * and writes a number of bytes of its own, 1000 and the checkpoint's number. At the end the stacks are printed to a file in
 * the folder CHECKPOINTS, named by the process: a line of addresses each. Without the folder nothing is taken down.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>

enum { MOST = 20000, DEEPEST = 400 };
static unsigned long stacks[MOST][DEEPEST];
static int depths[MOST], count, sink = -1;
static char bytes[1000 + MOST];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static _Unwind_Reason_Code add(struct _Unwind_Context *context, void *given)
{
    int here = *(int *)given, is_exact = 0;
    unsigned long address = _Unwind_GetIPInfo(context, &is_exact);
    if (address == 0 || depths[here] == DEEPEST)
        return _URC_END_OF_STACK;
    stacks[here][depths[here]++] = address + is_exact;
    return _URC_NO_REASON;
}

int checkpoint(void)
{
    pthread_mutex_lock(&mutex);
    int here = count++;
    if (here >= MOST)
        abort();
    if (sink < 0)
        sink = open("/dev/null", O_WRONLY);
    pthread_mutex_unlock(&mutex);
    if (getenv("CHECKPOINTS") != NULL)
        _Unwind_Backtrace(add, &here);
    return write(sink, bytes, 1000 + here) < 0;
}

__attribute__((destructor)) static void print(void)
{
    char path[4096];
    if (getenv("CHECKPOINTS") == NULL)
        return;
    snprintf(path, sizeof path, "%s/%d", getenv("CHECKPOINTS"), (int)getpid());
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return;
    for (int i = 0; i < count; i++) {
        for (int frame = 0; frame < depths[i]; frame++)
            fprintf(file, "%lx ", stacks[i][frame]);
        fprintf(file, "\n");
    }
    fclose(file);
}
