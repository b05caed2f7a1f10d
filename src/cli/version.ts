import { version } from '../../package.json';

/** Version of this program: the bundler puts the text in. */
export const VERSION = version;
