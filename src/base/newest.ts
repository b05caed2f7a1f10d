/** Of works that overtake each other the newest counts. */
export class Newest {
  private control = new AbortController();

  /** Begins a work: those before it are aborted. */
  begin(): AbortSignal {
    this.stop();
    return this.control.signal;
  }

  /** The work that was begun last. */
  get current(): AbortSignal {
    return this.control.signal;
  }

  /** Nothing of what was begun counts from now on. */
  stop(): void {
    this.control.abort();
    this.control = new AbortController();
  }
}
