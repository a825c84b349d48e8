/** Which operations the saves since the last walk concern: by their part of the spec, their handlers and what these import, their scenarios. */
import { join } from 'node:path';
import ts from 'typescript';
import { operationAt, operationTable, resolve, type SourceDocument } from '@specwright/contract/document';
import type { ProjectConfig } from '../../project-config.ts';
import { findConstant, scenariosFile } from '../../stubs/scenario-rows.ts';
import { findHandlers, type HandlerSet } from '../../stubs/find-handlers.ts';
import { membersOf, parse, sourcesIn } from '../../stubs/typescript-source.ts';
import { createImportGraph, type ImportGraph } from './import-graph.ts';

export interface ChangedOperations {
  /** Compares with what it saw last; the first call finds nothing. */
  update(source: SourceDocument): void;
  /** The ids of the operations that are still to be walked, and that the spec has. */
  readonly pending: ReadonlySet<string>;
  /** Takes out those that were walked without a failure. */
  clear(ids: readonly string[]): void;
}

/** By operation: everything that, when it changes, may change how it answers. */
type Fingerprints = Map<string, string>;

export function createChangedOperations(project: ProjectConfig): ChangedOperations {
  const pending = new Set<string>();
  const graph = createImportGraph();
  let before: Fingerprints | undefined;
  return {
    update(source) {
      const now = fingerprint(project, source, graph);
      for (const [id, print] of now) if (before !== undefined && before.get(id) !== print) pending.add(id);
      for (const id of pending) if (!now.has(id)) pending.delete(id);
      before = now;
    },
    pending,
    clear(ids) {
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
  const file = join(project.root, scenariosFile(project));
  if (!ts.sys.fileExists(file)) return new Map();
  const source = parse(file);
  const table = findConstant(source, 'SCENARIOS');
  return new Map(table === undefined ? [] : membersOf(table).map(({ name, node }) => [name, node.getText(source)]));
}
