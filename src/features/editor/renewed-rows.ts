/**
 * A view does not tell of a click on the row that was chosen in it last, though something else was selected elsewhere
 * meanwhile, and there is no way to take its choice back. Under another name the row is a new one, which nobody chose.
 */
export class RenewedRows {
  private readonly times = new Map<string, number>();

  renew(key: string): void {
    this.times.set(key, (this.times.get(key) ?? 0) + 1);
  }

  /** The `id` of a row's item; undefined for one that was never renewed, which the editor names by its label. */
  idOf(key: string): string | undefined {
    const times = this.times.get(key);
    return times === undefined ? undefined : `${key} ${times}`;
  }
}
