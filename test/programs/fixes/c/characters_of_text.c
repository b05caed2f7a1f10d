/* FIX posix-small-writes repair: a text is written character by character */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int put(int fd, const char *text)
{
	size_t length = strlen(text), i;
	for (i = 0; i < length; i++)
		if (write(fd, text + i, 1) <= 0) // HERE
			return -1;
	return 0;
}

int main(void)
{
	int fd = open("text", O_WRONLY | O_CREAT | O_APPEND, 0644);
	for (int i = 0; i < 30; i++)
		if (put(fd, i % 3 == 0 ? "" : "a line of text\n") != 0)
			return 1;
	return close(fd);
}
