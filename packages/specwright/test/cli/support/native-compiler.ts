/** The native compiler, which projects are checked by: it takes a tenth of the time of the one in JavaScript. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const TSC = resolve('node_modules/typescript-native/bin/tsc');
const PROBLEM = /^(?<file>\S.*?)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<message>.*)$/;

export interface TypeProblem {
  /** From the folder. */
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** Checks files of a folder. @param options as in tsconfig.json. @throws Error if the compiler does not run. */
export function checkTypes(folder: string, files: readonly string[], options: object): TypeProblem[] {
  const config = join(folder, 'tsconfig.check.json');
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...options, noEmit: true }, files }));
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSC, '-p', config, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(config);
  const problems = stdout.split('\n').flatMap((text) => {
    const groups = PROBLEM.exec(text)?.groups;
    return groups === undefined ? [] : [{ file: '', code: '', message: '', ...groups, line: Number(groups['line']) }];
  });
  if (status !== 0 && problems.length === 0) throw new Error(`the compiler ended with ${String(status)}: ${stdout}${stderr}`);
  return problems;
}

/** Checks files that import what is generated, which imports `@specwright/server`. @returns the problems in them, not in the server. */
export const checkGenerated = (folder: string, files: readonly string[]): TypeProblem[] =>
  checkTypes(folder, files, {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    customConditions: ['@specwright/source'],
    paths: { '@specwright/server': [resolve('packages/server/src/index.ts')] },
  }).filter(({ file }) => !file.startsWith('..'));
