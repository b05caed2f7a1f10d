/** Numbers as people read them, for whoever shows documents. */
export { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../analysis/quantities.ts';
