import type { EditorFileSystem } from '../machine/editor-files.ts';

/** Messages between a user of the session and the worker that it runs in. */
export type Request =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly topic: string;
      readonly method: string;
      readonly values: readonly unknown[];
      /** Hooks are to be made for the last value: they cannot cross. */
      readonly hasHooks: boolean;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  /** To what the worker asked; an error in words for the user has no value. */
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown; readonly error?: string };

export type Reply =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'progress'; readonly id: number; readonly share: number | undefined }
  | { readonly kind: 'error'; readonly id: number; readonly name: string; readonly message: string }
  /** The worker wants to know something of a file that only its user reaches. */
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly method: keyof EditorFileSystem;
      readonly location: string;
    };

/** The error of a call that was cancelled. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}
