/** `npm start` serves the new one, `npm start before` the old one. */
import { createServer } from 'node:http';
import { createAfter } from './after.ts';
import { createBefore } from './before.ts';
import { openDatabase } from './database.ts';

const { db, close } = await openDatabase();
const handler = process.argv[2] === 'before' ? createBefore(db) : await createAfter(db);
const server = createServer(handler).listen(Number(process.env['PORT'] ?? 3000));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(close));
