/** Which files a change can affect: those that changed, and all that import them, directly or not. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from '../../libraries/typescript.ts';

export type ImportGraph = ReturnType<typeof createImportGraph>;

/** @param isGenerated files of which only what they mean can affect others: a description in the spec changes a comment and the digest. */
export function createImportGraph(isGenerated: (file: string) => boolean = () => false) {
  const imports = new Map<string, readonly string[]>();
  const meanings = new Map<string, string>();
  let targetsOfAll = new Set<string>();
  return {
    /** Whether one of the files that were given last imports it. */
    isImported: (file: string): boolean => targetsOfAll.has(file),
    /**
     * Applies changes. Imports of packages are ignored: they do not change during development.
     *
     * @param files absolute paths of all sources; @returns those of them that have to be checked again.
     */
    affectedBy(changed: ReadonlySet<string>, files: readonly string[]): Set<string> {
      for (const file of changed) imports.delete(file);
      const isSame = (file: string) => {
        const before = meanings.get(file);
        const now = meaningOf(file);
        meanings.set(file, now);
        return before === now;
      };
      for (const file of files) if (isGenerated(file) && !meanings.has(file)) meanings.set(file, changed.has(file) ? '' : meaningOf(file));
      const importers = new Map<string, string[]>();
      for (const file of files) {
        const targets = imports.get(file) ?? importsOf(file);
        imports.set(file, targets);
        for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
      }
      targetsOfAll = new Set(importers.keys());
      const affected = new Set<string>();
      const queue: string[] = [];
      for (const file of changed) {
        if (isGenerated(file) && isSame(file)) affected.add(file);
        else queue.push(file);
      }
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

/** The tokens of a file, without what is between them, and of a digest only that it is one. */
function meaningOf(file: string): string {
  const text = readOrEmpty(file).replace(/'[0-9a-f]{64}'/g, "'digest'");
  const tokens: string[] = [];
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    // Only a parser knows where these end, and what looks like a comment in them.
    if (UNCERTAIN.has(token)) return hash(text);
    tokens.push(scanner.getTokenText());
  }
  return hash(tokens.join('\0'));
}

const UNCERTAIN: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.SlashEqualsToken,
  ts.SyntaxKind.Unknown,
]);
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
