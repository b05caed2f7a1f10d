import type { Host } from './host.ts';

/** An extension host with Node: a desktop, or a machine that is reached from elsewhere. */
export const host: Host = {
  hasMachine: true,
  dialogsPickBoth: process.platform === 'darwin',
  environment: process.env,
};
