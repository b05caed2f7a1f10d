import type { CallStackTable } from '../trace/call-stacks.ts';
import { plainName } from './address-form.ts';
import { CALL_BYTES, canRecognise, instructionBefore, offsetOfAddress } from './call-instructions.ts';
import { symbolAt, type FoundModule } from './recorded-module.ts';

/** A recorded number of a module as it is to be checked. */
export interface RecordedPlace {
  readonly frame: number;
  /** The address in the binary that the recording's number means, before anything is subtracted. */
  readonly address: number;
  /** An interrupted instruction: no call stands in front of it. */
  readonly exact: boolean;
}

/** What the binary here says to the places of a recording. */
export interface PlaceCheck {
  /** For each place whether its line can be believed. */
  readonly believable: readonly boolean[];
  /** Places about which the binary's code or symbols say something. */
  readonly checked: number;
  readonly misfits: number;
}

type Verdict = 'fits' | 'misfit' | 'unknown';

/**
 * Asks whether a binary is the one that was recorded: each place must follow a call to the start of a function, and lie as
 * far behind its symbol as was recorded. A function in which one place does not fit was compiled anew, so that none of its
 * places is believed.
 */
export async function checkPlaces(
  stacks: CallStackTable,
  places: readonly RecordedPlace[],
  found: FoundModule,
): Promise<PlaceCheck> {
  const byCode = await codeVerdicts(places, found);
  const bySymbol = symbolVerdicts(stacks, places, found);
  const isMisfit = places.map((_, i) => byCode[i] === 'misfit' || bySymbol[i] === 'misfit');
  const functions = places.map(({ frame, address }) => functionKey(stacks, frame, address, found));
  const changed = new Set(functions.filter((_, i) => isMisfit[i]));
  return {
    believable: functions.map((name, i) => isMisfit[i] === false && !changed.has(name)),
    checked: places.filter((_, i) => byCode[i] !== 'unknown' || bySymbol[i] !== 'unknown').length,
    misfits: isMisfit.filter((misfit) => misfit).length,
  };
}

function functionKey(stacks: CallStackTable, frame: number, address: number, found: FoundModule): string {
  const { symbol, value, symbolOffset } = stacks.frame(frame);
  if (symbol !== '') return `${symbol} ${value - symbolOffset}`;
  return symbolAt(found.symbols, address)?.name ?? String(address);
}

async function codeVerdicts(places: readonly RecordedPlace[], found: FoundModule): Promise<Verdict[]> {
  const unknown = places.map((): Verdict => 'unknown');
  if (!canRecognise(found.binary.elf.machine)) return unknown;
  const asWritten = await Promise.all(places.map((place) => codeVerdict(place, place.address, found)));
  // strace with libdw writes callers' addresses less one (but not the innermost): what most places say holds for all.
  const lessOne = await Promise.all(places.map((place) => codeVerdict(place, place.address + 1, found)));
  const fitting = (verdicts: readonly Verdict[]): number => verdicts.filter((verdict) => verdict === 'fits').length;
  if (fitting(asWritten) >= fitting(lessOne)) return asWritten;
  return asWritten.map((verdict, i) => (verdict === 'fits' && lessOne[i] === 'misfit' ? verdict : lessOne[i]!));
}

async function codeVerdict({ exact }: RecordedPlace, address: number, found: FoundModule): Promise<Verdict> {
  const { elf, source } = found.binary;
  // An execve shows the first instruction of the program that it began.
  if (exact || address === elf.entry || address === elf.entry + 1) return 'unknown';
  const offset = offsetOfAddress(elf.segments, address);
  if (!(offset >= CALL_BYTES)) return 'misfit';
  const bytes = new Uint8Array(CALL_BYTES);
  if ((await source.read(offset - CALL_BYTES, bytes)) < CALL_BYTES) return 'unknown';
  const before = instructionBefore(elf.machine, bytes, address);
  if (before.kind === 'other') return 'misfit';
  if (before.kind === 'system call' || before.target === undefined) return 'fits';
  const called = symbolAt(found.symbols, before.target);
  return called === undefined || called.size === 0 || called.address === before.target ? 'fits' : 'misfit';
}

function symbolVerdicts(stacks: CallStackTable, places: readonly RecordedPlace[], found: FoundModule): Verdict[] {
  const starts = new Map<string, Set<number>>();
  for (const { name, address } of found.symbols) {
    const plain = plainName(name);
    const known = starts.get(plain);
    if (known === undefined) starts.set(plain, new Set([address]));
    else known.add(address);
  }
  return places.map(({ frame, address }) => {
    const { symbol, symbolOffset } = stacks.frame(frame);
    // What this binary does not name says nothing: the recorder may have had debug files that are not here.
    const known = symbol === '' ? undefined : starts.get(plainName(symbol));
    if (known === undefined) return 'unknown';
    return known.has(address - symbolOffset) ? 'fits' : 'misfit';
  });
}
