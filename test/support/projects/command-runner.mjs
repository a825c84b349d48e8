/** Program: runs commands of `specwright` as its parent asks, in one process that loads their modules once. */
import { pathToFileURL } from 'node:url';

const [, , program = ''] = process.argv;
const { runProgram } = await import(pathToFileURL(program).href);

let output = '';
for (const stream of [process.stdout, process.stderr])
  stream.write = (chunk, encoding, done = encoding) => {
    output += String(chunk);
    if (typeof done === 'function') done();
    return true;
  };

process.on('message', async ({ cwd, args }) => {
  output = '';
  process.chdir(cwd);
  const code = await runProgram(args).catch((error) => {
    output += error.stack;
    return 1;
  });
  process.send?.({ code, output });
});
process.on('disconnect', () => process.exit());
