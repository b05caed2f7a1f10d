import { formatCount } from '../../base/quantities.ts';
import type { Amount } from './insight.ts';
import { SLOTS, TEXT_OF, type SlotName } from './slots.ts';

/**
 * Sentences of findings. They are templates (`say`) whose numbers, and whatever else the recording holds, are slots: so that
 * any reader can count them again (docs/triggers.md, "What the numbers mean").
 */

/** A place in a sentence that the recording fills. */
export interface Slot {
  readonly name: SlotName;
  /** Bytes, nanoseconds, a count, a share from 0 to 1; a text where it is a name. */
  readonly value: number | string;
  /** As it stands in the sentence. */
  readonly text: string;
}

/** What calls cost, within a message: it is put in words when the costs of the run are known. */
export interface CostPart {
  /** As it was recorded, all processes together. */
  readonly amount: Readonly<Amount>;
  /** Share of the recorded I/O time, 0 to 1. */
  readonly shareOfTime: number;
}

type Part = string | Slot | CostPart;

/** A sentence of ours, or a part of one. */
export type Sentence = readonly Part[];

/** Sentences while a finding is built; a text is that of a trigger which a user wrote. */
export type Message = string | Sentence;

/** A sentence from a template: `${…}` takes slots and other sentences, and no bare number. */
export function say(texts: TemplateStringsArray, ...parts: readonly (Part | Message)[]): Sentence {
  return texts.flatMap((text, i) => [text, ...[parts[i] ?? []].flat()]).filter((part) => part !== '');
}

/** @param text where it is not that of its quantity. */
export function slot(name: SlotName, value: number, text = TEXT_OF[SLOTS[name].quantity](value)): Slot {
  return { name, value, text };
}

/** A name that the recording holds: of a function, a path, a process; or a list of them. */
export function naming(name: SlotName, text: string): Slot {
  return { name, value: text, text };
}

/** `1 write`, `4,096 writes`. */
export function countOf(name: SlotName, count: number, one: string, many = `${one}s`): Sentence {
  return say`${slot(name, count, formatCount(count))} ${count === 1 ? one : many}`;
}

export function joined(...messages: readonly Message[]): Message {
  return messages.every((message) => typeof message === 'string') ? messages.join('') : messages.flat();
}

/** Sentences one behind the other. */
export function listed(sentences: readonly Sentence[], between: string): Sentence {
  return sentences.flatMap((sentence, i) => (i === 0 ? sentence : [between, ...sentence]));
}

/** What stands for a cost where none was estimated. */
export function recordedWords(shareOfTime: number): Sentence {
  return say`take ${slot('shareOfIoTime', shareOfTime)} of this program's I/O time`;
}

/** What calls cost in words; they follow a subject in the plural. */
type CostWords = (part: CostPart) => Sentence;

/** A message with its costs in words. */
function worded(message: Message, words: CostWords): readonly (string | Slot)[] {
  return [message].flat().flatMap((part) => (isCost(part) ? (words(part) as readonly (string | Slot)[]) : [part]));
}

function isCost(part: Part): part is CostPart {
  return typeof part !== 'string' && 'amount' in part;
}

const RECORDED: CostWords = ({ shareOfTime }) => recordedWords(shareOfTime);

export function textOf(message: Message, words = RECORDED): string {
  return worded(message, words)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');
}

/** A message as it is told, and what its slots hold. */
export interface Told {
  readonly message: string;
  /** In the order of the text. */
  readonly slots: readonly Slot[];
}

export function told(message: Message, words = RECORDED): Told {
  const slots = worded(message, words).filter((part) => typeof part !== 'string');
  return { message: textOf(message, words), slots };
}

/** The text of an advice with its slots. */
export function advising(sentence: Sentence): { readonly text: string; readonly slots: readonly Slot[] } {
  const { message, slots } = told(sentence);
  return { text: message, slots };
}
