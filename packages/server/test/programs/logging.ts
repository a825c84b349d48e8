/** Writes lines to the log and ends as its argument says; tells on standard error how many system calls that took. */
import fs from 'node:fs';
import { createLogger } from '@specwright/server';

const [end = ''] = process.argv.slice(2);
const { writeSync } = fs;
let calls = 0;
fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
  calls++;
  return writeSync(...args);
}) as typeof writeSync;

const log = createLogger('info');
for (let i = 0; i < 1000; i++) log.info({ i }, 'a line');
const logged = calls;
if (end === 'error') {
  log.error({}, 'an error');
  console.error(calls - logged);
}
if (end === 'cause') {
  const err = new Error('of itself');
  err.cause = new Error('of the other', { cause: err });
  log.error({ err }, 'errors that cause each other');
}
process.on('exit', () => console.error(calls));
if (end === 'exception') setImmediate(() => nowhere());
if (end === 'exit') process.exit(0);
// Stays alive until it is killed.
if (end === 'wait') setInterval(() => undefined, 1000);

function nowhere(): void {
  throw new Error('nobody catches this');
}
