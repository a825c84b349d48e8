/** A server of any contract without security: the steps of the line that the contract makes, and a handler that echoes. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import { loadContract, type OperationTable } from '@specwright/server';
import { HandlerResponse } from '@specwright/server';
import { body } from '@specwright/server';
import { context } from '@specwright/server';
import type { Log } from '@specwright/server';
import { handle } from '@specwright/server';
import { match } from '@specwright/server';
import { respond } from '@specwright/server';
import { createServer } from '@specwright/server';
import { validate } from '@specwright/server';
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
  line.use(handle(operation.id, async (input: { body?: unknown }) => HandlerResponse.reply(200, { body: input.body })));
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
