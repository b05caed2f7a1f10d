import { MOST_NAMES, MOST_ROLES, SCAN_ROLE, StraceScan } from '../../core/strace-scan.ts';
import type { ByteNames } from '../text/byte-names.ts';
import { UNSEEN } from './arguments.ts';
import type { CallNames, KnownCall } from './call-names.ts';
import type { StackBlocks } from './stack-blocks.ts';
import { EFFECT, FIRST_RARE_EFFECT, ROLE } from './system-calls.ts';

const UNKNOWN = -1;

/** Arguments that the scanner reads itself; others it hands out by their place. */
const ROLES = new Map<number, number>([
  [ROLE._, SCAN_ROLE.skip],
  [ROLE.fd, SCAN_ROLE.fd],
  [ROLE.folder, SCAN_ROLE.folder],
  [ROLE.size, SCAN_ROLE.size],
  [ROLE.offset, SCAN_ROLE.offset],
  [ROLE.whence, SCAN_ROLE.whence],
]);

/** The scanner of a recording's files, and what the reader knows of its numbers: calls, decorations, errors, stacks. */
export class Scanner {
  readonly scan = new StraceScan();
  /** The calls that it knows, by its numbers. */
  readonly calls: KnownCall[] = [];
  private learned = 0;
  private forgotten = 0;
  private readonly nameOf = new Int32Array(MOST_NAMES).fill(UNKNOWN);
  private readonly errorOf = new Int32Array(MOST_NAMES).fill(UNKNOWN);
  private readonly blockOf = new Int32Array(MOST_NAMES).fill(UNKNOWN);

  constructor(
    private readonly callNames: CallNames,
    private readonly names: ByteNames,
  ) {}

  /** Fills the records; as `StraceScan.scan`. */
  next(from: number, end: number, isBoundary: boolean): number {
    const { known } = this.callNames;
    for (; this.learned < known.length; this.learned++) this.learn(known[this.learned]!);
    const count = this.scan.scan(from, end, isBoundary);
    if (this.scan.forgotten !== this.forgotten) {
      this.forgotten = this.scan.forgotten;
      for (const table of [this.nameOf, this.errorOf, this.blockOf]) table.fill(UNKNOWN);
    }
    return count;
  }

  private learn(known: KnownCall): void {
    const { name, effect, roles } = known.call;
    // What makes rows for parts of a call, or processes, looks at the text of a line itself.
    if (effect >= FIRST_RARE_EFFECT || effect === EFFECT.fork || roles.length > MOST_ROLES) return;
    const scanRoles = roles.map((role) => ROLES.get(role) ?? SCAN_ROLE.place);
    if (this.scan.addCall(new TextEncoder().encode(name), scanRoles)) this.calls.push(known);
  }

  /** A decoration's name in the reader. */
  decoration(name: number): number {
    if (name < 0) return UNSEEN;
    const known = this.nameOf[name]!;
    return known === UNKNOWN ? this.addDecoration(name) : known;
  }

  private addDecoration(name: number): number {
    const bytes = this.scan.name(name);
    return (this.nameOf[name] = this.names.intern(bytes, 0, bytes.length));
  }

  /** An error's index. @param intern gives it when its name is new. */
  error(name: number, intern: (bytes: Uint8Array) => number): number {
    const known = this.errorOf[name]!;
    return known === UNKNOWN ? (this.errorOf[name] = intern(this.scan.name(name))) : known;
  }

  /** Makes a block of frame lines that stands in the text the one that `blocks` read last. */
  block(name: number, blocks: StackBlocks, bytes: Uint8Array, from: number, end: number): void {
    const known = this.blockOf[name]!;
    if (known === UNKNOWN) {
      blocks.read(bytes, from, end);
      this.blockOf[name] = blocks.last;
    } else blocks.repeat(known);
  }
}
