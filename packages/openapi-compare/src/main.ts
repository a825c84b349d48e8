/** The program `openapi-compare`. */
import { runCommand } from './command.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
});
