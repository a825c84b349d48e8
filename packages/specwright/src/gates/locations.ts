/** Finds the places that a gate's output names: of type errors, lint, spec lint, breaking changes and stale generated files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface Located {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

const MAX_MESSAGE = 500;

/** The compiler's `file(line,column): error TS1: message`, and this project's `file:line:column message`, which may have a `:` more. */
const FORMS = [
  /^(?<file>[^\s():]+)\((?<line>\d+),(?<column>\d+)\): (?<message>.+)$/,
  /^(?<file>[^\s():]+):(?<line>\d+)(?::(?<column>\d+))?:? +(?<message>[^ ].*)$/,
];
/** ESLint's own form: the path on a line of its own, below it `line:column  error  message  rule`. */
const ESLINT_PROBLEM = /^ +(?<line>\d+):(?<column>\d+) +(?:error|warning) +(?<message>[^ ].*)$/;
/** Prettier names files only. */
const PRETTIER = /^\[(?:warn|error)\] (?<file>\S+\.\w+)$/;

/** @param root of the project: a place is one only if its file exists there. */
export function findLocations(output: string, root: string): readonly Located[] {
  const found: Located[] = [];
  let linted: string | undefined;
  const isFile = (file: string) => existsSync(join(root, file));
  const add = (file: string, groups: Record<string, string | undefined>) => {
    const { line = '1', column, message = 'its format is not that of Prettier: npm run format' } = groups;
    const text = message.replace(/ {2,}/g, '  ').slice(0, MAX_MESSAGE);
    found.push({ file, line: Number(line), ...(column !== undefined && { column: Number(column) }), message: text });
  };
  for (const line of output.split('\n')) {
    const problem = ESLINT_PROBLEM.exec(line)?.groups;
    if (problem !== undefined && linted !== undefined) add(linted, problem);
    if (/^\S/.test(line)) linted = undefined;
    if (line.startsWith(`${root}/`) && existsSync(line.trim())) linted = line.trim().slice(root.length + 1);
    const unformatted = PRETTIER.exec(line)?.groups;
    if (unformatted?.['file'] !== undefined && isFile(unformatted['file'])) add(unformatted['file'], {});
    for (const form of FORMS) {
      const groups = form.exec(line)?.groups;
      if (groups?.['file'] === undefined || !isFile(groups['file'])) continue;
      add(groups['file'], groups);
      break;
    }
  }
  return found;
}
