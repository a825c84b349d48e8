/** Type errors, kept up to date: after a change only affected files are checked again, the program before its tests. */
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { generatedFolders } from '../../generate/generated-files.ts';
import type { Project, ProjectConfig } from '../../project-config.ts';
import { createImportGraph } from '../walk/import-graph.ts';
import type { Compiler, TypeProblem } from './compiler.ts';

/** How many files the compiler is asked about at once. */
const MAX_QUESTIONS = 8;

export interface TypeChecker {
  /** Records files that were changed, created or deleted (absolute paths). */
  touch(files: Iterable<string>): void;
  /** Checks the affected files of the program, or of the rest. @returns every error of that part. */
  check(part: 'program' | 'rest', signal: AbortSignal): Promise<readonly TypeProblem[]>;
  close(): Promise<void>;
}

type ContractFolders = Pick<ProjectConfig, 'generated' | 'handlers'>;

/** @param report gets what a person should know of the compiler. */
export function createTypeChecker(
  project: Pick<Project, 'root' | 'main' | 'databaseFolder'> & { readonly contracts: readonly ContractFolders[] },
  report: (line: string) => void,
): TypeChecker {
  // What the server runs: an error in it prevents a restart. Clients are others' programs.
  const { root, main, contracts } = project;
  const generated = generatedFolders(project).map((folder) => folder.generated);
  const within = (folders: readonly string[]) => (file: string) => folders.some((folder) => file.startsWith(join(root, folder) + sep));
  const isProgram = within([dirname(main), ...generated]);
  const isGenerated = within(generated);
  const isHandler = within(contracts.map(({ handlers }) => handlers));
  const clients = contracts.map((contract) => join(root, contract.generated, 'client.ts'));
  const config = join(root, 'tsconfig.json');
  let graph = createImportGraph(isGenerated);
  let compiler: Promise<Compiler> | undefined;
  let files: readonly string[] = [];
  const touched = new Set<string>();
  const pending = new Set<string>();
  const problems = new Map<string, readonly TypeProblem[]>();

  const inProgram = (file: string) => !clients.includes(file) && isProgram(file);
  // In the order in which one fixes them: after what cannot be parsed handlers, then the rest of the program.
  const rank = (file: string) => (isHandler(file) ? 0 : inProgram(file) ? 1 : 2);

  // One check at a time: each replaces what the one before asks.
  let queue: Promise<unknown> = Promise.resolve();

  async function restart(): Promise<Compiler> {
    const old = compiler;
    compiler = startCompiler(config, report);
    graph = createImportGraph(isGenerated);
    problems.clear();
    await (await old?.catch(() => undefined))?.close().catch(() => undefined);
    const started = await compiler;
    files = (await started.update({ changed: [], created: [], deleted: [] })).filter((file) => !file.includes(`${sep}node_modules${sep}`));
    graph.affectedBy(new Set(), files);
    for (const file of files) pending.add(file);
    return started;
  }

  async function update(): Promise<Compiler> {
    const changes = new Set(touched);
    touched.clear();
    if (compiler === undefined || changes.has(config)) return restart();
    const current = await compiler;
    if (changes.size === 0) return current;
    const projectFiles = new Set(files);
    const isKnown = (file: string) => projectFiles.has(file) || graph.isImported(file);
    const deleted = [...changes].filter((file) => !existsSync(file));
    const existing = [...changes].filter((file) => existsSync(file));
    files = await current.update({
      changed: existing.filter(isKnown),
      created: existing.filter((file) => !isKnown(file)),
      deleted,
    });
    for (const file of deleted) problems.delete(file);
    for (const file of graph.affectedBy(changes, files)) pending.add(file);
    return current;
  }

  async function check(part: 'program' | 'rest', signal: AbortSignal): Promise<readonly TypeProblem[]> {
    const current = await update();
    const inPart = (file: string) => inProgram(file) === (part === 'program');
    const affected = [...pending].filter(inPart).sort((a, b) => rank(a) - rank(b));
    const projectFiles = new Set(files);
    const diagnose = async (file: string) => {
      if (signal.aborted) return;
      if (projectFiles.has(file)) problems.set(file, await current.diagnose(file));
      pending.delete(file);
    };
    // Some at once, so that the compiler never waits for the next question; not all, so that a later save can interrupt.
    for (let i = 0; i < affected.length; i += MAX_QUESTIONS) await Promise.all(affected.slice(i, i + MAX_QUESTIONS).map(diagnose));
    return [...problems.values()]
      .flat()
      .filter(({ file }) => inPart(file))
      .sort((a, b) => Number(b.isSyntax) - Number(a.isSyntax) || rank(a.file) - rank(b.file));
  }

  return {
    touch(paths) {
      // A file that is not of the project, such as a document, would be one that was created, at each save.
      for (const path of paths) if (path.endsWith('.ts') || path === config || graph.isImported(path)) touched.add(path);
    },
    check(part, signal) {
      const result = queue.then(() => check(part, signal));
      queue = result.catch(() => {
        // The compiler may be a process that has ended: the next save starts another.
        compiler = undefined;
      });
      return result;
    },
    close: async () => (await compiler?.catch(() => undefined))?.close(),
  };
}

/** Starts the compiler of the development loop: the native one, or the pinned one where the native one cannot run. */
type Start = (config: string) => Compiler | Promise<Compiler>;

// Loaded when needed: the native one is not installed on every platform.
const native: Start = async (config) => (await import('./native-compiler.ts')).startNative(config);
const pinned: Start = async (config) => (await import('./pinned-compiler.ts')).startPinned(config);

/**
 * Starts the fastest available compiler.
 *
 * @param config the absolute path of tsconfig.json; @param report gets the reason why it is not the native one.
 */
export async function startCompiler(config: string, report: (line: string) => void, fastest: Start = native): Promise<Compiler> {
  try {
    return await fastest(config);
  } catch (error) {
    report(`the native compiler does not start; using the slower pinned one: ${(error as Error).message}`);
    return pinned(config);
  }
}
