/** A server of any contract, with handlers that answer with the body of the request. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import {
  createServer,
  HandlerResponse,
  loadContract,
  unimplementedScheme,
  type ContractTypes,
  type GeneratedContract,
  type Log,
} from '@specwright/server';
import type { ServerReport } from '../boot.ts';

const [spec = '', table = ''] = process.argv.slice(2);
const contract = await loadContract(spec, JSON.parse(readFileSync(table, 'utf8')) as GeneratedContract<ContractTypes>);

const ignore = () => undefined;
const log: Log = { info: ignore, warn: ignore, error: ignore, child: () => log };
const echo = async (input: { body?: unknown }) => HandlerResponse.reply(200, { body: input.body });
const schemes = new Set(contract.operations.flatMap(({ security }) => security.flat()));
const server = createServer({
  contract,
  handlers: Object.fromEntries(contract.operations.map(({ id }) => [id, echo])),
  security: Object.fromEntries([...schemes].map((name) => [name, unimplementedScheme])),
  // The contract does not declare the framework's own headers.
  responseValidation: 'off',
  log,
});
server.listen(0, () => report());
process.on('message', () => report());

function report(): void {
  const { user, system } = process.cpuUsage();
  const { port } = server.address() as AddressInfo;
  process.send?.({ cpuMs: (user + system) / 1000, port } satisfies ServerReport);
}
