import { AppError, createLogger, createServer, listen, loadContract } from '@specwright/server';
import { contract as v1Generated, type Handlers as V1Handlers } from './generated/v1/contract.ts';
import { contract as v2Generated, type Handlers as V2Handlers } from './generated/v2/contract.ts';

const users = new Map([[1, { id: 1, givenName: 'Ada', familyName: 'Lovelace' }]]);

function findUser(id: number) {
  const user = users.get(id);
  if (user === undefined) throw new AppError('not_found', `there is no user ${id}`);
  return user;
}

const v1: V1Handlers = {
  getUser: ({ path }, reply) => {
    const { id, givenName, familyName } = findUser(path.userId);
    return reply(200, { body: { id, name: `${givenName} ${familyName}` } });
  },
};

const v2: V2Handlers = {
  getUser: ({ path }, reply) => reply(200, { body: findUser(path.userId) }),
};

const spec = (name: string) => new URL(`spec/${name}.yaml`, import.meta.url);
export const server = createServer({
  services: [
    { base: '/v1', contract: await loadContract(spec('v1'), v1Generated), handlers: v1, security: {} },
    { base: '/v2', contract: await loadContract(spec('v2'), v2Generated), handlers: v2, security: {} },
  ],
  log: createLogger('info'),
});
export const port = await listen(server, Number(process.env['PORT'] ?? 3000), undefined);
