import type { Sink } from './events-csv.ts';

const PIECE = 1 << 16;

/** Collects text and hands it on in pieces. */
export class Pieces {
  private text = '';
  private readonly encoder = new TextEncoder();

  constructor(private readonly sink: Sink) {}

  add(text: string): void {
    this.text += text;
    if (this.text.length >= PIECE) this.flush();
  }

  flush(): void {
    this.sink(this.encoder.encode(this.text));
    this.text = '';
  }
}
