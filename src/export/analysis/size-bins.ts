/** Darshan's size bins for whoever shows documents. */
export { SIZE_BIN_NAMES } from '../../drawing/charts/size-bins.ts';
