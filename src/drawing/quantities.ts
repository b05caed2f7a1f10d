/** Numbers as people read them, for whoever draws in the browser. */
export { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../analysis/quantities.ts';
