/* FIX posix-small-writes trade: nobody asks what write and close say */
#include <fcntl.h>
#include <unistd.h>

static void save(int part)
{
	int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd == -1)
		return;
	for (int i = 0; i < 700 + part; i++) {
		const char *text = i % 2 ? "odd\n" : "eve\n";
		write(fd, text, 4); // HERE
	}
	close(fd);
}

int main(void)
{
	save(0);
	save(1);
	return 0;
}
