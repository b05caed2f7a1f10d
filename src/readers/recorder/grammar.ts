/**
 * The grammar that a rank's sequence of calls was compressed into: rules of symbols, each a signature or another rule, and
 * each repeated so many times (Sequitur with exponents).
 */

/** The rule that stands for the whole sequence; the others are −2, −3, … */
const START_RULE = -1;
/** Steps that may lead to no call before the grammar counts as broken: what Recorder writes has none. */
const IDLE_STEPS = 1000;
const NUMBERS = 2;

export class Grammar {
  /** Pairs of symbol and exponent, by number of the rule. */
  private readonly rules = new Map<number, Int32Array>();
  /** What is wrong with the table; '' when nothing is. */
  problem = '';

  /** @param bytes of a table of rules, unpacked. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const count = bytes.length < 4 ? 0 : view.getInt32(0, true);
    let at = 4;
    for (let rule = 0; rule < count; rule++) {
      const symbols = at + 8 <= bytes.length ? view.getInt32(at + 4, true) : -1;
      const number = symbols < 0 ? 0 : view.getInt32(at, true);
      const end = at + 8 + symbols * 8;
      if (symbols < 0 || number >= 0) {
        this.problem = `rule ${rule + 1} of ${count} is cut off or makes no sense`;
        return;
      }
      const whole = Math.min(symbols, Math.floor((bytes.length - at - 8) / 8));
      this.rules.set(number, pairsAt(view, at + 8, whole));
      if (end > bytes.length) {
        this.problem = `rule ${rule + 1} of ${count} is cut off`;
        return;
      }
      at = end;
    }
    if (!this.rules.has(START_RULE)) this.problem = 'the first rule is missing';
  }

  /**
   * Goes through the sequence. Neither rules that contain themselves nor exponents make it endless: it ends when `visit`
   * has enough, and breaks off when rules lead to nothing.
   *
   * @param visit gets the number of a signature, once for each call; false ends the walk.
   * @returns what is wrong, in words for the user; '' when nothing is.
   */
  expand(visit: (terminal: number) => boolean): string {
    const walk = new GrammarWalk(this.rules);
    for (let terminal = walk.next(); terminal !== undefined; terminal = walk.next()) {
      if (!visit(terminal)) return walk.problem;
    }
    return walk.problem;
  }
}

function pairsAt(view: DataView, at: number, count: number): Int32Array {
  const pairs = new Int32Array(count * NUMBERS);
  for (let i = 0; i < pairs.length; i++) pairs[i] = view.getInt32(at + i * 4, true);
  return pairs;
}

/** Where a walk stands in one rule. */
interface Position {
  readonly rule: number;
  readonly pairs: Int32Array;
  /** Of the symbol, as an index into `pairs`. */
  at: number;
  /** How often the symbol was taken. */
  taken: number;
}

class GrammarWalk {
  problem = '';
  private readonly stack: Position[] = [];
  private readonly open = new Set<number>();
  private visited = 0;
  private entered = 0;

  constructor(private readonly rules: ReadonlyMap<number, Int32Array>) {
    this.enter(START_RULE);
  }

  /** The next signature; undefined at the end. */
  next(): number | undefined {
    for (let top = this.stack.at(-1); top !== undefined; top = this.stack.at(-1)) {
      if (top.at === top.pairs.length) {
        this.open.delete(top.rule);
        this.stack.pop();
        continue;
      }
      const symbol = top.pairs[top.at]!;
      if (top.taken >= top.pairs[top.at + 1]!) {
        if (top.taken === 0) this.problem ||= 'a symbol of the grammar is repeated less than once';
        top.at += NUMBERS;
        top.taken = 0;
        continue;
      }
      top.taken++;
      if (symbol >= 0) {
        this.visited++;
        return symbol;
      }
      if (!this.enter(symbol)) top.taken = Number.MAX_SAFE_INTEGER;
      // Of what Recorder writes every rule leads to two calls or more.
      if (this.entered > 4 * this.visited + IDLE_STEPS + this.rules.size) {
        this.problem = 'the rules of the grammar lead to no calls';
        return undefined;
      }
    }
    return undefined;
  }

  private enter(rule: number): boolean {
    this.entered++;
    const pairs = this.rules.get(rule);
    if (pairs === undefined) this.problem ||= `the grammar names the rule ${rule}, which is not there`;
    else if (this.open.has(rule)) this.problem ||= `the rule ${rule} of the grammar contains itself`;
    else {
      this.open.add(rule);
      this.stack.push({ rule, pairs, at: 0, taken: 0 });
      return true;
    }
    return false;
  }
}
