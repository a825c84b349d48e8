/** Which operations the saves since the last walk concern: by their part of the spec, their handlers and what these import, their scenarios. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve as resolvePath } from 'node:path';
import { type SourceDocument, type SourceFile, operationAt, operationTable, resolve } from '@specwright/contract/document';
import { type ProjectConfig, isOfAnother } from '../../project-config.ts';
import { type HandlerSet, findHandlers, findScenarios } from '../../stubs/find-handlers.ts';
import { sourcesIn } from '../../stubs/typescript-source.ts';
import { type ImportGraph, createImportGraph } from './import-graph.ts';

export type ChangedOperations = ReturnType<typeof createChangedOperations>;

/** By operation: everything that, when it changes, may change how it answers. */
type Fingerprints = Map<string, string>;

export function createChangedOperations(project: ProjectConfig) {
  const pending = new Set<string>();
  const graph = createImportGraph();
  let before: Fingerprints | undefined;
  return {
    /** Compares with what it saw last; the first call finds nothing. */
    update(source: SourceDocument): void {
      const now = fingerprint(project, source, graph);
      for (const [id, print] of now) if (before !== undefined && before.get(id) !== print) pending.add(id);
      for (const id of pending) if (!now.has(id)) pending.delete(id);
      before = now;
    },
    /** The ids of the operations that are still to be walked, and that the spec has. */
    pending: pending as ReadonlySet<string>,
    /** Takes out those that were walked without a failure. */
    clear(ids: readonly string[]): void {
      for (const id of ids) pending.delete(id);
    },
  };
}

function fingerprint(project: ProjectConfig, source: SourceDocument, graph: ImportGraph): Fingerprints {
  const handlers = handlerPrints(project, graph);
  const rows = rowPrints(project);
  const contract = contractPrints(source);
  return new Map([...contract].map(([id, print]) => [id, [print, handlers.get(id) ?? '', rows.get(id) ?? ''].join('\0')]));
}

/** The part of the document that an operation refers to, without the texts for people. */
function contractPrints({ document }: SourceDocument): Fingerprints {
  return new Map(
    Object.entries(operationTable(document)).map(([id, { method, path }]) => {
      const references = new Set<string>();
      const print = (value: unknown) =>
        JSON.stringify([value], (key, part: unknown) => {
          if ((key === 'description' || key === 'summary') && typeof part === 'string') return undefined;
          if (key === '$ref' && typeof part === 'string') references.add(part);
          return part;
        });
      const item = document.paths[path];
      const parts = [method, path, print(operationAt(item, method)), print(item?.parameters)];
      // A set may grow while it is read: then what was added is read too.
      for (const reference of references) parts.push(reference, print(resolve(document, { $ref: reference })));
      return [id, parts.join('\n')];
    }),
  );
}

/** The text of a handler, what is around the handlers in its file, and the files that this one imports, within the program's own noun. */
function handlerPrints(project: ProjectConfig, graph: ImportGraph): Fingerprints {
  const { root, main } = project;
  const sets = findHandlers(project);
  const program = sourcesIn(join(root, main, '..'));
  const texts = new Map(program.map(({ fileName, text }) => [fileName, text]));
  const nouns = new Set(sets.filter(({ handlers: members }) => members.length > 0).map(({ file }) => file.fileName));
  // By file: the handlers' files that it can affect. What all of them import is the service's, not a noun's.
  const affected = [...texts.keys()].map((file) => {
    const importers = [...graph.affectedBy(new Set([file]), [...texts.keys()])].filter((importer) => nouns.has(importer));
    return { file, importers };
  });
  const prints: Fingerprints = new Map();
  for (const set of sets) {
    const { fileName } = set.file;
    const imported = affected
      .filter(({ file, importers }) => file !== fileName && importers.includes(fileName) && importers.length < nouns.size)
      .map(({ file }) => texts.get(file) ?? '');
    for (const { name, node } of set.handlers) prints.set(name, [node.getText(set.file), around(set), ...imported].join('\0'));
  }
  return prints;
}

function around({ file, handlers }: HandlerSet): string {
  let text = file.text;
  for (const { node } of [...handlers].reverse()) text = text.slice(0, node.getFullStart()) + text.slice(node.end);
  // What an import brings is compared by its file.
  return text.replace(/^import .*$/gm, '').trim();
}

function rowPrints(project: ProjectConfig): Fingerprints {
  return new Map(findScenarios(project).map(({ file, row: { name, node } }) => [name, node.getText(file)]));
}

/** A part of a file that differs from what the last walk passed with. */
export interface EditedPart {
  /** `src/db/pets.ts:12:1` */
  readonly location: string;
  /** The text of the file up to the first edited line, and that line. */
  readonly before: string;
}

export type EditHistory = ReturnType<typeof createEditHistory>;

/** @param spec its path from the root. */
export function createEditHistory(project: ProjectConfig, spec: string) {
  const { root, main } = project;
  const folder = join(root, dirname(main));
  const specFile = resolvePath(root, spec);
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const passed = new Map<string, string>([[specFile, read(specFile)]]);
  for (const { fileName, text } of existsSync(folder) ? sourcesIn(folder) : []) passed.set(fileName, text);
  let saved: string[] = [];
  return {
    /** Records saved files (absolute paths). */
    touch(files: Iterable<string>): void {
      const now = [...files].filter((file) => (file.startsWith(folder) && !isOfAnother(project, file)) || file === specFile);
      saved = [...now, ...saved.filter((file) => !now.includes(file))];
    },
    /** The last saved first. */
    edited(): EditedPart[] {
      return saved.flatMap((file) => {
        const text = read(file);
        const former = passed.get(file) ?? '';
        if (text === former || text === '') return [];
        const { first } = editedRange(former, text);
        return [
          { location: `${relative(root, file).replaceAll('\\', '/')}:${first}:1`, before: text.split('\n').slice(0, first).join('\n') },
        ];
      });
    },
    /** Every operation answers as declared. */
    accept(): void {
      for (const file of saved) passed.set(file, read(file));
      saved = [];
    },
  };
}

/** Which lines of a text were edited, compared with a former one. */
export interface Range {
  /** Both from 1; `last` is less than `first` where nothing differs. */
  readonly first: number;
  readonly last: number;
}

/** From the first to the last line of `after` that differs. */
export function editedRange(before: string, after: string): Range {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const max = Math.min(old.length, now.length);
  let head = 0;
  while (head < max && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < max - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  // Where lines are gone, the next one is at their place.
  return { first: head + 1, last: Math.max(now.length - tail, before === after ? 0 : head + 1) };
}

/** Whether a line (from 1) is in that range. */
export function editedLines(before: string, after: string): (line: number) => boolean {
  const { first, last } = editedRange(before, after);
  return (line) => line >= first && line <= last;
}

/** Whether a line of a file is in what was edited of it; without a file, of the first one. A file that is new was edited from its first line. */
export function editedParts(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): (file: string | undefined, line: number) => boolean {
  const edited = new Map(
    after.map(({ file, text }) => [file, editedLines(before.find((former) => former.file === file)?.text ?? '', text)]),
  );
  return (file = after[0]?.file ?? '', line) => edited.get(file)?.(line) ?? false;
}
