/** The handlers and stores, compiled with other generated files than those on disk. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolder } from 'specwright/testing';

const TSC = resolve('node_modules/typescript-native/bin/tsc');

/** By the native compiler. @param generated files of generated/. @returns the errors of src/, as `file(line,column): error message`. */
export async function typecheck(generated: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'compile-'));
  try {
    for (const name of ['src', 'generated', 'package.json']) await cp(name, join(folder, name), { recursive: true });
    for (const [name, text] of generated) await writeFile(join(folder, 'generated', name), text);
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const config = JSON.parse(await readFile('tsconfig.json', 'utf8')) as object;
    const program = { ...config, include: undefined, files: ['src/handlers/index.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(program));
    const output = await runCompiler(folder);
    // What an error consists of is on lines of its own, indented.
    const errors = output.split(/\n(?! )/).map((error) => error.replace(/\n +/g, ' '));
    return errors.filter((error) => error.startsWith('src/'));
  } finally {
    await removeFolder(folder);
  }
}

/** @param source of one file, under the settings of this project. @returns the lines that do not compile, from 1. */
export async function linesWithErrors(source: string): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'compile-'));
  try {
    await writeFile(join(folder, 'source.mts'), source);
    const { compilerOptions } = JSON.parse(await readFile('tsconfig.json', 'utf8')) as { compilerOptions: object };
    const config = { compilerOptions: { ...compilerOptions, types: [] }, files: ['source.mts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return [...(await runCompiler(folder)).matchAll(/^source\.mts\((\d+),/gm)].map(([, line]) => Number(line));
  } finally {
    await removeFolder(folder);
  }
}

/** @throws Error if it does not run: without an error in the code it ends with 0. */
const runCompiler = (cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [TSC, '-p', '.', '--pretty', 'false'], { cwd }, (error, stdout, stderr) => {
      if (error !== null && !stdout.includes('error TS')) reject(new Error(stdout + stderr, { cause: error }));
      else resolve(stdout);
    });
  });
