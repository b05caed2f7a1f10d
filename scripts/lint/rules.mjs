// The lint rules of this project, beside those that everybody has: .oxlintrc.json.
import { rooms } from './rooms.mjs';
import { translated } from './translated.mjs';

export default { meta: { name: 'iolens' }, rules: { rooms, translated } };
