import type { Host } from './host.ts';

/** An editor in a browser, without any machine behind it. */
export const host: Host = { hasMachine: false, dialogsPickBoth: true, environment: {} };
