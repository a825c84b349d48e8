/** A server of any contract without security: the steps of the line that the contract makes, and a handler that echoes. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import { loadContract, type OperationTable } from '../../src/contract/load.ts';
import { Sealed } from '../../src/contract/reply.ts';
import { body } from '../../src/http/body.ts';
import { context } from '../../src/http/context.ts';
import type { Log } from '../../src/http/exchange.ts';
import { handle } from '../../src/http/handle.ts';
import { match } from '../../src/http/match.ts';
import { respond } from '../../src/http/respond.ts';
import { createServer } from '../../src/http/server.ts';
import { validate } from '../../src/http/validate.ts';
import type { Told } from '../boot.ts';

const [spec = '', table = ''] = process.argv.slice(2);
const expected = JSON.parse(readFileSync(table, 'utf8')) as { operations: OperationTable; digest: string };
const contract = await loadContract(spec, expected);

const ignore = () => undefined;
const log: Log = { info: ignore, warn: ignore, error: ignore, child: () => log };
const app = express();
app.use(context({ log, now: () => new Date(), headers: () => ({}) }));
const targets = contract.operations.map((operation) => {
  const line = Router();
  if (operation.body !== null) line.use(body(operation));
  line.use(validate(operation));
  line.use(handle(operation.id, async (input: { body?: unknown }) => Sealed.reply(200, { body: input.body })));
  // The line's own headers are none of this contract's.
  line.use(respond('off'));
  return { operation, line };
});
app.use(match(targets, async () => undefined));
const server = createServer(app, () => ({}));
server.listen(0, () => tell());
process.on('message', () => tell());

function tell(): void {
  const { user, system } = process.cpuUsage();
  const told: Told = { cpu: (user + system) / 1000, port: (server.address() as AddressInfo).port };
  process.send?.(told);
}
