/** A handler that does not compile. */
import type { Handler } from './generated/contract.ts';

// prettier-ignore
// shown
export const getPet: Handler<'getPet'> = ({ path }, reply) =>
  reply(200, { body: { id: path.petId, name: 'Rex', status: 'gone' } });
// end
