import { createLogger, createServer, listen, loadContract } from '@specwright/server';
import { jwt } from '@specwright/server/jwt';
import { contract as generated, type Handlers, type Security } from './generated/contract.ts';

interface Caller {
  readonly id: string;
  readonly scopes: readonly string[];
}

const songs: { owner: string; title: string }[] = [];

const handlers: Handlers<Caller> = {
  listSongs: (_input, reply, { caller }) => reply(200, { body: songs.filter(({ owner }) => owner === caller.id) }),
  addSong: ({ body }, reply, { caller }) => {
    songs.push({ owner: caller.id, title: body.title });
    return reply(201, { body });
  },
};

const { PORT = '3000', TOKEN_ISSUER = 'https://login.example.com/', TOKEN_AUDIENCE = 'https://songs.example.com' } = process.env;
const security: Security<Caller> = {
  // The keys are found by the metadata of the issuer, and fetched again when they change.
  login: jwt({ issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE, caller: ({ sub = '' }, scopes) => ({ id: sub, scopes }) }),
};

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
export const server = createServer({ contract, handlers, security, log: createLogger('info') });
export const port = await listen(server, Number(PORT), undefined);
