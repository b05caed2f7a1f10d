import { formatShare } from '../../base/quantities.ts';
import type { Amount } from './insight.ts';

/** What calls cost, within a message: it is put in words when the costs of the run are known. */
export interface CostPart {
  /** As it was recorded, all processes together. */
  readonly amount: Readonly<Amount>;
  /** Share of the recorded I/O time, 0 to 1. */
  readonly shareOfTime: number;
}

/** Sentences while a finding is built; a text where they say nothing of costs. */
export type Message = string | readonly (string | CostPart)[];

export function joined(...messages: readonly Message[]): Message {
  return messages.every((message) => typeof message === 'string') ? messages.join('') : messages.flat();
}

/** What stands for a cost where none was estimated. */
export function recordedWords(shareOfTime: number): string {
  return `take ${formatShare(shareOfTime)} of this program's I/O time`;
}

/** @param words for what calls cost; they follow a subject in the plural. */
export function textOf(
  message: Message,
  words: (part: CostPart) => string = ({ shareOfTime }) => recordedWords(shareOfTime),
): string {
  if (typeof message === 'string') return message;
  return message.map((part) => (typeof part === 'string' ? part : words(part))).join('');
}
