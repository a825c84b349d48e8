/** Which files a change can affect: those that changed, and all that import them, directly or not. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';

export interface ImportGraph {
  /**
   * Applies changes. Imports of packages are ignored: they do not change during development.
   *
   * @param files absolute paths of all sources; @returns those of them that have to be checked again.
   */
  affectedBy(changed: ReadonlySet<string>, files: readonly string[]): Set<string>;
  /** Whether one of the files that were given last imports it. */
  isImported(file: string): boolean;
}

export function createImportGraph(): ImportGraph {
  const imports = new Map<string, readonly string[]>();
  let targetsOfAll = new Set<string>();
  return {
    isImported: (file) => targetsOfAll.has(file),
    affectedBy(changed, files) {
      for (const file of changed) imports.delete(file);
      const importers = new Map<string, string[]>();
      for (const file of files) {
        const targets = imports.get(file) ?? importsOf(file);
        imports.set(file, targets);
        for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
      }
      targetsOfAll = new Set(importers.keys());
      const affected = new Set<string>();
      const queue = [...changed];
      for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
        if (affected.has(file)) continue;
        affected.add(file);
        queue.push(...(importers.get(file) ?? []));
      }
      return new Set(files.filter((file) => affected.has(file)));
    },
  };
}

function importsOf(file: string): string[] {
  try {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    return importedFiles.filter(({ fileName }) => fileName.startsWith('.')).map(({ fileName }) => resolve(dirname(file), fileName));
  } catch {
    // Deleted since it was listed.
    return [];
  }
}
