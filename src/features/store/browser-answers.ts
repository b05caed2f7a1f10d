import type { OpenStores } from './methods.ts';

/** `#stores` of the bundle for browsers. */
export const openStores: OpenStores = () => {
  throw new Error('a browser opens no stores: their SQL engine needs VS Code on a machine');
};
