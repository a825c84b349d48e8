/** A process that measures one server of `npm run bench -- tokens`: it prints the CPU of a request, in µs. */
import { startTokenIssuer } from 'specwright/testing';
import { openMemoryConnections } from '../requests/memory-connections.ts';
import { SCOPE, SERVERS } from './servers.ts';

const BATCH = 1000;
const WARM_UP = 3;

const [name = '', rounds = ''] = process.argv.slice(2);
const issuer = await startTokenIssuer();
const token = issuer.issueToken({ scopes: [SCOPE], expiresIn: 3600 });
const server = SERVERS[name];
if (server === undefined) throw new Error(`unknown server ${name}`);
const connections = openMemoryConnections(await server.create(issuer, token));
const request = Buffer.from(`GET /caller HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
let least = Infinity;
for (let round = -WARM_UP; round < Number(rounds); round++) {
  const before = process.cpuUsage();
  await connections.send(request, BATCH, ({ status }) => status === 200);
  const { user, system } = process.cpuUsage(before);
  if (round >= 0) least = Math.min(least, (user + system) / BATCH);
}
console.log(least);
process.exit(0);
