/** Writes strace text for tests: calls of several processes with times and stacks, as `strace -f -ttt -T -y -kk` has them. */
export class StraceText {
  private readonly lines: string[] = [];
  private now = 1_795_252_180_000_000;

  /**
   * @param call such as `read(3</w/a>, ""..., 8) = 8`.
   * @param microseconds how long it takes; the next call begins when it is over.
   * @param stack frames, innermost first, as `frame` and `line` make them.
   */
  call(pid: number, call: string, microseconds: number, stack: readonly string[] = []): this {
    const seconds = (time: number): string => `${Math.floor(time / 1e6)}.${String(time % 1e6).padStart(6, '0')}`;
    const duration = `${Math.floor(microseconds / 1e6)}.${String(microseconds % 1e6).padStart(6, '0')}`;
    this.lines.push(`${pid} ${seconds(this.now)} ${call} <${duration}>`, ...stack.map((place) => ` > ${place}`));
    this.now += microseconds + 1;
    return this;
  }

  /** The program does something else. */
  wait(microseconds: number): this {
    this.now += microseconds;
    return this;
  }

  times(count: number, make: (i: number) => void): this {
    for (let i = 0; i < count; i++) make(i);
    return this;
  }

  toString(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

/** A frame in the program's own code. */
export function line(number: number): string {
  return `/w/app(work+0x${number.toString(16)}) [0x${number.toString(16)}] /w/app.c:${number}`;
}

/** A frame in a library. */
export function frame(library: string, functionName: string): string {
  return `/usr/lib/x86_64-linux-gnu/${library}(${functionName}+0x10) [0x10]`;
}
