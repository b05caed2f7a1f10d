/** The door to what is learned about the folders of sources. */
export { prefixRule, withRule } from '../../symbols/learned-prefix.ts';
export type { PathRule } from '../../symbols/symbol-files.ts';
