import { formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** Code for programs that write through a library's buffer. */

export function flushAtEnd(count: number): Snippet {
  return {
    language: 'cpp',
    title: 'End lines without a flush',
    code: `for (int step = 0; step < steps; step++)
    log << step << ' ' << value[step] << '\\n'; // std::endl would flush ${formatCount(count)} times
log.flush(); // once
`,
  };
}

export function flushAtEndC(count: number): Snippet {
  return {
    language: 'c',
    title: 'Flush once, after the loop',
    code: `for (int step = 0; step < steps; step++)
    fprintf(log, "%d %g\\n", step, value[step]); /* no fflush here: it would write ${formatCount(count)} times */
fflush(log); /* once, or at each checkpoint */
`,
  };
}

export function flushAtEndFortran(): Snippet {
  return {
    language: 'fortran',
    title: 'Flush once, after the loop',
    code: `do step = 1, steps
  call write_record(unit, step)   ! the writes of now, without their flush
end do
flush (unit)   ! once, or at each checkpoint
`,
  };
}

export function flushAtEndPython(): Snippet {
  return {
    language: 'python',
    title: 'Flush once, after the loop',
    code: `with open(path, "w") as log:  # not buffering=1, not print(flush=True)
    for step, value in enumerate(values):
        log.write(f"{step} {value}\\n")
`,
  };
}

export function largerBuffer(): Snippet {
  return {
    language: 'c',
    title: 'A larger buffer for the stream',
    code: `static char buffer[4 << 20]; /* glibc ignores the size where it has to make the buffer itself */
FILE *file = fopen(path, "rb");
setvbuf(file, buffer, _IOFBF, sizeof buffer); /* before the first access */
`,
  };
}

export function largerBufferCpp(): Snippet {
  return {
    language: 'cpp',
    title: 'A larger buffer for the stream (C++)',
    code: `std::vector<char> buffer(4 << 20); // must outlive the stream
std::fstream file;
file.rdbuf()->pubsetbuf(buffer.data(), buffer.size()); // before open
file.open(path, std::ios::in | std::ios::binary);
`,
  };
}

export function gatheredForPipe(): Snippet {
  return {
    language: 'c',
    title: 'Many records with one write',
    code: `static char buffer[1 << 16]; /* glibc ignores the size where it has to make the buffer itself */
FILE *out = fdopen(fd, "w");
setvbuf(out, buffer, _IOFBF, sizeof buffer);
for (size_t i = 0; i < records; i++)
    fwrite(record[i], size, 1, out);
fflush(out); /* at the end, and where the other end has to answer */
`,
  };
}

export function bufferedPipe(): Snippet {
  return {
    language: 'c',
    title: 'Take what is there with one call',
    code: `char bytes[1 << 16];
for (ssize_t got; (got = read(fd, bytes, sizeof bytes)) > 0;)
    for (ssize_t i = 0; i < got; i++)
        use(bytes[i]);
`,
  };
}
