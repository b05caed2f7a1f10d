/** For users of the session, which know nothing behind it. */
export { messageOf } from '../trace/error-message.ts';
