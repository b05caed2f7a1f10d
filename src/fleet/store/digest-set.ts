/** 32-bit words of a digest. */
const WORDS = 4;
const FIRST_SLOTS = 1 << 12;

/**
 * Digests of 128 bits, as 32 hexadecimal digits: 16 bytes for each and as many free, where a `Set` of texts takes a hundred.
 * A store's logs are counted in millions.
 */
export class DigestSet {
  private words = new Uint32Array(FIRST_SLOTS * WORDS);
  private slots = FIRST_SLOTS;
  /** All its words are 0, which marks a free slot. */
  private hasZero = false;
  size = 0;

  has(digest: string): boolean {
    const words = wordsOf(digest);
    return isZero(words) ? this.hasZero : this.isTaken(words);
  }

  /** @returns false when it was there already. */
  add(digest: string): boolean {
    const words = wordsOf(digest);
    if (isZero(words)) {
      if (this.hasZero) return false;
      this.hasZero = true;
      this.size++;
      return true;
    }
    if (this.isTaken(words)) return false;
    if (this.size * 2 >= this.slots) this.grow();
    this.words.set(words, this.slotOf(words));
    this.size++;
    return true;
  }

  private isTaken(words: Uint32Array): boolean {
    return !isZero(this.words.subarray(this.slotOf(words), this.slotOf(words) + WORDS));
  }

  /** Where it stands, or the free slot that it belongs in. Digests are random already: their first word is the hash. */
  private slotOf(words: Uint32Array): number {
    const { slots, words: all } = this;
    for (let slot = words[0]! & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * WORDS;
      let equal = true;
      let free = true;
      for (let i = 0; i < WORDS; i++) {
        if (all[at + i] !== words[i]) equal = false;
        if (all[at + i] !== 0) free = false;
      }
      if (equal || free) return at;
    }
  }

  private grow(): void {
    const old = this.words;
    this.slots *= 2;
    this.words = new Uint32Array(this.slots * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      const words = old.subarray(at, at + WORDS);
      if (!isZero(words)) this.words.set(words, this.slotOf(words));
    }
  }
}

function wordsOf(digest: string): Uint32Array {
  const words = new Uint32Array(WORDS);
  for (let i = 0; i < WORDS; i++) words[i] = Number.parseInt(digest.slice(i * 8, i * 8 + 8), 16);
  return words;
}

function isZero(words: Uint32Array): boolean {
  return words.every((word) => word === 0);
}
