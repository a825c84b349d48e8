/** Type errors, kept up to date: after a change only affected files are checked again, the program before its tests. */
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { generatedFolders } from '../../generate/generated-files.ts';
import type { Project, ProjectConfig } from '../../project-config.ts';
import { type ImportGraph, createImportGraph } from '../walk/import-graph.ts';
import type { Compiler, TypeProblem } from './compiler.ts';

/** How many files the compiler is asked about at once. */
const MAX_QUESTIONS = 8;

type CheckedProject = Pick<Project, 'root' | 'main' | 'databaseFolder'> & {
  readonly contracts: readonly Pick<ProjectConfig, 'generated' | 'handlers'>[];
};

type Part = 'program' | 'rest';

export class TypeChecker {
  readonly #config: string;
  readonly #parts: ProjectParts;
  readonly #report: (line: string) => void;
  #graph: ImportGraph;
  #compiler: Promise<Compiler> | undefined;
  #files: readonly string[] = [];
  readonly #touched = new Set<string>();
  readonly #pending = new Set<string>();
  readonly #problems = new Map<string, readonly TypeProblem[]>();
  /** One check at a time: each replaces what the one before asks. */
  #queue: Promise<unknown> = Promise.resolve();

  /** @param report gets messages about the compiler for a person. */
  constructor(project: CheckedProject, report: (line: string) => void) {
    this.#config = join(project.root, 'tsconfig.json');
    this.#parts = new ProjectParts(project);
    this.#report = report;
    this.#graph = createImportGraph(this.#parts.isGenerated);
  }

  /** Records files that were changed, created or deleted (absolute paths). */
  touch(paths: Iterable<string>): void {
    // A file that is not of the project, such as a document, would be one that was created, at each save.
    for (const path of paths) if (path.endsWith('.ts') || path === this.#config || this.#graph.isImported(path)) this.#touched.add(path);
  }

  /** Checks the affected files of the program, or of the rest. @returns every error of that part. */
  check(part: Part, signal: AbortSignal): Promise<readonly TypeProblem[]> {
    const result = this.#queue.then(() => this.#checkNow(part, signal));
    this.#queue = result.catch(() => {
      // The compiler may be a process that has ended: the next save starts another.
      this.#compiler = undefined;
    });
    return result;
  }

  async close(): Promise<void> {
    await (await this.#compiler?.catch(() => undefined))?.close();
  }

  async #restart(): Promise<Compiler> {
    const old = this.#compiler;
    this.#compiler = startCompiler(this.#config, this.#report);
    this.#graph = createImportGraph(this.#parts.isGenerated);
    this.#problems.clear();
    await (await old?.catch(() => undefined))?.close().catch(() => undefined);
    const started = await this.#compiler;
    const all = await started.update({ changed: [], created: [], deleted: [] });
    this.#files = all.filter((file) => !file.includes(`${sep}node_modules${sep}`));
    this.#graph.affectedBy(new Set(), this.#files);
    for (const file of this.#files) this.#pending.add(file);
    return started;
  }

  async #update(): Promise<Compiler> {
    const changes = new Set(this.#touched);
    this.#touched.clear();
    if (this.#compiler === undefined || changes.has(this.#config)) return this.#restart();
    const current = await this.#compiler;
    if (changes.size === 0) return current;
    const projectFiles = new Set(this.#files);
    const isKnown = (file: string) => projectFiles.has(file) || this.#graph.isImported(file);
    const deleted = [...changes].filter((file) => !existsSync(file));
    const existing = [...changes].filter((file) => existsSync(file));
    this.#files = await current.update({
      changed: existing.filter(isKnown),
      created: existing.filter((file) => !isKnown(file)),
      deleted,
    });
    for (const file of deleted) this.#problems.delete(file);
    for (const file of this.#graph.affectedBy(changes, this.#files)) this.#pending.add(file);
    return current;
  }

  async #checkNow(part: Part, signal: AbortSignal): Promise<readonly TypeProblem[]> {
    const current = await this.#update();
    const inPart = (file: string) => this.#parts.inProgram(file) === (part === 'program');
    const affected = [...this.#pending].filter(inPart).sort((a, b) => this.#parts.rank(a) - this.#parts.rank(b));
    const projectFiles = new Set(this.#files);
    const diagnose = async (file: string) => {
      if (signal.aborted) return;
      if (projectFiles.has(file)) this.#problems.set(file, await current.diagnose(file));
      this.#pending.delete(file);
    };
    // Some at once, so that the compiler never waits for the next question; not all, so that a later save can interrupt.
    for (let i = 0; i < affected.length; i += MAX_QUESTIONS) await Promise.all(affected.slice(i, i + MAX_QUESTIONS).map(diagnose));
    return [...this.#problems.values()]
      .flat()
      .filter(({ file }) => inPart(file))
      .sort((a, b) => Number(b.isSyntax) - Number(a.isSyntax) || this.#parts.rank(a.file) - this.#parts.rank(b.file));
  }
}

/** The parts of a project by their files. An error in the program prevents a restart; clients are programs of others. */
class ProjectParts {
  readonly isGenerated: (file: string) => boolean;
  readonly #isProgram: (file: string) => boolean;
  readonly #isHandler: (file: string) => boolean;
  readonly #clients: readonly string[];

  constructor(project: CheckedProject) {
    const { root, main, contracts } = project;
    const generated = generatedFolders(project).map((folder) => folder.generated);
    const within = (folders: readonly string[]) => (file: string) => folders.some((folder) => file.startsWith(join(root, folder) + sep));
    this.isGenerated = within(generated);
    this.#isProgram = within([dirname(main), ...generated]);
    this.#isHandler = within(contracts.map(({ handlers }) => handlers));
    this.#clients = contracts.map((contract) => join(root, contract.generated, 'client.ts'));
  }

  inProgram(file: string): boolean {
    return !this.#clients.includes(file) && this.#isProgram(file);
  }

  /** The order in which one fixes errors, after those of syntax: handlers, then the rest of the program. */
  rank(file: string): number {
    return this.#isHandler(file) ? 0 : this.inProgram(file) ? 1 : 2;
  }
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
