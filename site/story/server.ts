/** A handler that compiles, and answers with what the contract does not allow. Prints its port. */
import { createLogger, createServer, listen, loadContract } from '@specwright/server';
import { contract as generated, type Handlers, type Schemas } from './generated/contract.ts';

// Rows from before the contract had the two values of `status`. The compiler believes their type.
const rows = JSON.parse('[{ "id": 7, "name": "Rex", "status": "gone" }]') as Schemas['Pet'][];

const handlers: Handlers = {
  getPet: ({ path }, reply) => {
    const pet = rows.find(({ id }) => id === path.petId);
    return pet === undefined ? reply(404, { body: { code: 'not_found', message: 'no such pet' } }) : reply(200, { body: pet });
  },
};

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
const server = createServer({ contract, handlers, security: {}, log: createLogger('info') });
console.log(await listen(server, 0, 'localhost'));
