/** Which of all mutants are tried: as many of each kind in each part of the product, the same ones as long as their code is the same. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateMutants, type GeneratedMutant } from './generate.ts';

/** A package, or what of the pet store is its own. */
export const partOf = (file: string): string => /^packages\/([^/]+)/.exec(file)?.[1] ?? 'pet store';

/** What writes for people, or is only loaded where a test would take minutes. */
const LEFT_OUT = /\/(migrations|seeds)\/|\.d\.ts$|\/template|packages\/create-specwright\//;

/** The sources that are mutated. */
export const listSources = (root: string): string[] =>
  execFileSync('git', ['ls-files', 'src', ':(glob)packages/*/src/**'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !LEFT_OUT.test(file));

/**
 * @param count of each part: those with the least ids, at most `perFile` of a file and a third of a kind.
 * @returns in the order of their files.
 */
export function selectMutants(root: string, part: string, count: number, perFile = 4): GeneratedMutant[] {
  const all = listSources(root)
    .filter((file) => partOf(file) === part)
    .flatMap((file) => generateMutants(file, readFileSync(join(root, file), 'utf8')));
  const [files, kinds] = [new Map<string, number>(), new Map<string, number>()];
  const chosen: GeneratedMutant[] = [];
  for (const mutant of all.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const [ofFile, ofKind] = [files.get(mutant.file) ?? 0, kinds.get(mutant.kind) ?? 0];
    if (chosen.length >= count || ofFile >= perFile || ofKind >= Math.ceil(count / 3)) continue;
    files.set(mutant.file, ofFile + 1);
    kinds.set(mutant.kind, ofKind + 1);
    chosen.push(mutant);
  }
  return chosen.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
