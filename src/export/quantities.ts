/** Numbers as people read them, for whoever shows documents. */
export { formatBytes, formatCount, formatDuration, formatShare } from '../analysis/quantities.ts';
