/** Type errors, kept up to date: after a change only what it can matter to is checked again, the program before its tests. */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Compiler, TypeProblem } from './compiler.ts';
import { createImportGraph } from './imports.ts';
import { startCompiler } from './start-compiler.ts';

export interface TypeChecker {
  /** Takes note of files that were changed, made or deleted (absolute paths). */
  touch(files: Iterable<string>): void;
  /** Checks what has to be checked of the program, or of everything else. @returns every error there is in that part. */
  check(part: 'program' | 'rest', signal: AbortSignal): Promise<readonly TypeProblem[]>;
  close(): Promise<void>;
}

/** What the server runs: an error in it keeps the server from being started again. */
const PROGRAM = ['src', 'generated'];

/** @param root the project's folder, with its tsconfig.json. */
export function createTypeChecker(root: string, say: (line: string) => void): TypeChecker {
  const config = join(root, 'tsconfig.json');
  let graph = createImportGraph();
  let compiler: Promise<Compiler> | undefined;
  let files: readonly string[] = [];
  const touched = new Set<string>();
  const due = new Set<string>();
  const problems = new Map<string, readonly TypeProblem[]>();

  const inProgram = (file: string) => PROGRAM.some((folder) => file.startsWith(join(root, folder) + sep));
  // What a person mends first: handlers, then the rest of the program.
  const rank = (file: string) => (file.startsWith(join(root, 'src', 'handlers') + sep) ? 0 : inProgram(file) ? 1 : 2);

  async function restart(): Promise<Compiler> {
    const old = compiler;
    compiler = startCompiler(config, say);
    graph = createImportGraph();
    problems.clear();
    await (await old?.catch(() => undefined))?.close().catch(() => undefined);
    const started = await compiler;
    files = (await started.update({ changed: [], created: [], deleted: [] })).filter((file) => !file.includes(`${sep}node_modules${sep}`));
    graph.affectedBy(new Set(), files);
    for (const file of files) due.add(file);
    return started;
  }

  async function update(): Promise<Compiler> {
    const changes = new Set(touched);
    touched.clear();
    if (compiler === undefined || changes.has(config)) return restart();
    const current = await compiler;
    if (changes.size === 0) return current;
    const known = new Set(files);
    const deleted = [...changes].filter((file) => !existsSync(file));
    const there = [...changes].filter((file) => existsSync(file));
    files = await current.update({
      changed: there.filter((file) => known.has(file)),
      created: there.filter((file) => !known.has(file)),
      deleted,
    });
    for (const file of deleted) problems.delete(file);
    for (const file of graph.affectedBy(changes, files)) due.add(file);
    return current;
  }

  async function check(part: 'program' | 'rest', signal: AbortSignal): Promise<readonly TypeProblem[]> {
    const current = await update();
    const here = (file: string) => inProgram(file) === (part === 'program');
    const mine = [...due].filter(here).sort((a, b) => rank(a) - rank(b));
    const known = new Set(files);
    for (const file of mine) {
      if (signal.aborted) break;
      if (known.has(file)) problems.set(file, await current.diagnose(file));
      due.delete(file);
    }
    return [...problems.values()]
      .flat()
      .filter(({ file }) => here(file))
      .sort((a, b) => rank(a.file) - rank(b.file));
  }

  return {
    touch(paths) {
      for (const path of paths) if (/\.(ts|json)$/.test(path)) touched.add(path);
    },
    async check(part, signal) {
      try {
        return await check(part, signal);
      } catch (error) {
        // The compiler is a process: if it ends, the next save starts another.
        compiler = undefined;
        throw error;
      }
    },
    close: async () => (await compiler?.catch(() => undefined))?.close(),
  };
}
