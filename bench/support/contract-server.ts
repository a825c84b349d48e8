/** A server of any contract, with handlers that echo. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import {
  createServer,
  HandlerResponse,
  loadContract,
  unimplementedScheme,
  type ContractTypes,
  type GeneratedContract,
  type Handlers,
  type Log,
} from '@specwright/server';
import type { Told } from '../boot.ts';

const [spec = '', table = ''] = process.argv.slice(2);
const contract = await loadContract(spec, JSON.parse(readFileSync(table, 'utf8')) as GeneratedContract<ContractTypes>);

const ignore = () => undefined;
const log: Log = { info: ignore, warn: ignore, error: ignore, child: () => log };
const echo = async (input: { body?: unknown }) => HandlerResponse.reply(200, { body: input.body });
const schemes = new Set(contract.operations.flatMap(({ security }) => security.flat()));
const server = createServer({
  contract,
  handlers: Object.fromEntries(contract.operations.map(({ id }) => [id, echo])) as unknown as Handlers<ContractTypes, never>,
  security: Object.fromEntries([...schemes].map((name) => [name, unimplementedScheme])),
  // The framework's own headers are none of this contract's.
  responseValidation: 'off',
  log,
});
server.listen(0, () => tell());
process.on('message', () => tell());

function tell(): void {
  const { user, system } = process.cpuUsage();
  const told: Told = { cpu: (user + system) / 1000, port: (server.address() as AddressInfo).port };
  process.send?.(told);
}
