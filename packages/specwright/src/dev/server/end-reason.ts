/** Why a server has ended, and where, by its output. */
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `: Error: it cannot start`, if its output says so: in the last line of its log, or in a text. */
export function reasonIn(output: string): string {
  const fatal = output
    .split('\n')
    .filter((line) => line.startsWith('{"level":"fatal"'))
    .at(-1);
  const text = fatal === undefined ? output : (JSON.parse(fatal) as { err: { message: string } }).err.message;
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !/^(\{|at |Node\.js v)/.test(line));
  const reason = said.filter((line) => /^(\[?\w*Error\b|error:)/i.test(line)).at(-1) ?? said.at(-1);
  return reason === undefined ? '' : `: ${reason.slice(0, 150)}`;
}

/** `src/handlers/pets.ts:8:7`: the first line of the project that its output names, as a stack trace does. */
export function locationIn(output: string, root: string): string | undefined {
  // eslint-disable-next-line specwright/linear-expression -- the end of what the developer's own server has written
  const places = output.matchAll(/([^\s()'"]+\.[cm]?[jt]s):(\d+)(?::(\d+))?/g);
  for (const [, path = '', line = '1', column = '1'] of places) {
    const file = relative(root, path.startsWith('file:') ? fileURLToPath(path) : path);
    if (isAbsolute(path.replace(/^file:\/\//, '')) && !/^\.\.|node_modules|^packages/.test(file))
      return `${file.replaceAll('\\', '/')}:${line}:${column}`;
  }
  return undefined;
}
