import { LAYERS } from '../../trace/calls.ts';
import type { Paradigm, Property } from '../../trace/definitions.ts';
import { NONE } from '../../trace/events.ts';
import { HANDLE_FLAGS } from '../../trace/files.ts';
import type { Trace } from '../../trace/trace.ts';

/** Files, and communicators, that a document lists. */
const MOST_LISTED = 1_000;

/** What a recording says of the I/O resources besides the calls (Tschüter, section 3.2.1); only some formats do. */
export interface DefinitionDocument {
  readonly paradigms: readonly {
    readonly layer: string;
    /** As the recording calls it: `POSIX I/O`. */
    readonly name: string;
    readonly isParallel: boolean;
    readonly properties: readonly Property[];
  }[];
  /** Groups of processes that communicate or open files together. */
  readonly communicators: readonly { readonly name: string; readonly processes: number }[];
  /** Files and folders of which a scope or a property is known. */
  readonly files: readonly {
    readonly path: string;
    readonly isDirectory: boolean;
    /** Which part of the machine sees it; '' when unknown. */
    readonly scope: string;
    readonly properties: readonly Property[];
  }[];
  /** Files and communicators that are not listed, since they are too many. */
  readonly leftOut: number;
}

/** Handles of a layer, as every format with handles has them. */
export interface HandleDocument {
  readonly layer: string;
  readonly handles: number;
  /** How many belong to a handle of a layer above. */
  readonly withParent: number;
  /** How many were there before the program began. */
  readonly preCreated: number;
}

/** @returns undefined when the recording defines nothing. */
export function definitionDocument({ definitions, files }: Trace): DefinitionDocument | undefined {
  if (definitions === undefined) return undefined;
  const known = definitions.files.filter(({ scope, properties }) => scope !== '' || properties.length > 0);
  const groups = definitions.communicators.filter(({ isSelf }) => !isSelf);
  return {
    paradigms: definitions.paradigms.map(paradigmDocument),
    communicators: groups.slice(0, MOST_LISTED).map(({ name, members }) => ({ name, processes: members.length })),
    files: known.slice(0, MOST_LISTED).map(({ file, isDirectory, scope, properties }) => ({
      path: files.at(file).path,
      isDirectory,
      scope,
      properties,
    })),
    leftOut: Math.max(0, known.length - MOST_LISTED) + Math.max(0, groups.length - MOST_LISTED),
  };
}

function paradigmDocument({ layer, name, isParallel, properties }: Paradigm): DefinitionDocument['paradigms'][number] {
  return { layer: LAYERS[layer]!, name, isParallel, properties };
}

/** Handles by layer, highest first; none where the format does not say of which layer a handle is. */
export function handleDocuments({ handles }: Trace): HandleDocument[] {
  const counts = LAYERS.map(() => ({ handles: 0, withParent: 0, preCreated: 0 }));
  for (let handle = 0; handle < handles.length; handle++) {
    const of = counts[handles.layer.at(handle)];
    if (of === undefined) continue;
    of.handles++;
    if (handles.parent.at(handle) !== NONE) of.withParent++;
    if ((handles.flags.at(handle) & HANDLE_FLAGS.preCreated) !== 0) of.preCreated++;
  }
  return counts.flatMap((count, layer) => (count.handles === 0 ? [] : [{ layer: LAYERS[layer]!, ...count }]));
}
