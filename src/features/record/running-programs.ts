import * as vscode from 'vscode';

interface Running {
  /** Undefined until the editor has started it. */
  pid: number | undefined;
  isAsked: boolean;
}

/**
 * The programs of tasks that are under way. They are ended by signals, not by ending their tasks: that would close the
 * terminal with what the program wrote.
 */
export class RunningPrograms {
  private readonly running = new Map<string, Running>();

  began(output: string): void {
    this.running.set(output, { pid: undefined, isAsked: false });
    this.announce();
  }

  /** The task's process, which becomes the program: the shell before it, and strace, step aside. */
  started(output: string, pid: number): void {
    const program = this.running.get(output);
    if (program !== undefined) program.pid = pid;
  }

  ended(output: string): void {
    this.running.delete(output);
    this.announce();
  }

  /** As Ctrl-C in its terminal; those that were asked before are ended only when nobody is left to be asked. */
  stop(): void {
    const started = [...this.running.values()].filter(({ pid }) => pid !== undefined && pid > 1);
    const unasked = started.filter(({ isAsked }) => !isAsked);
    for (const program of unasked.length > 0 ? unasked : started) {
      send(program.pid!, program.isAsked ? 'SIGKILL' : 'SIGINT');
      program.isAsked = true;
    }
  }

  private announce(): void {
    void vscode.commands.executeCommand('setContext', 'iolens.programRuns', this.running.size > 0);
  }
}

/** To the program and what it started: a terminal's process leads a group. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has just ended.
  }
}
