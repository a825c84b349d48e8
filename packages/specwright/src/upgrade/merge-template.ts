/** Merges what a template has changed from one version to the next into the files of a project. */
import { isDeepStrictEqual } from 'node:util';
import { formatJson, type Texts } from '../new/template.ts';
import { mergeJson } from './merge-json.ts';
import { mergeText } from './merge-text.ts';

/** What happens to a file that the template has changed. */
export interface FileChange {
  readonly path: string;
  /** `keep`: the project's file, or that it has none, is kept. */
  readonly action: 'add' | 'update' | 'remove' | 'keep';
  /** For `add` and `update`. */
  readonly text?: string;
  /** What a person has to decide, each in a few words. */
  readonly conflicts: readonly string[];
}

export interface MergeSides {
  /** The template that the project was made from, or was last upgraded to. */
  readonly base: Texts;
  readonly theirs: Texts;
  /** The project's own text of a file; `undefined` if it has none. */
  readonly ours: (path: string) => string | undefined;
  /** What the two versions are called in conflict marks. */
  readonly versions: { readonly base: string; readonly theirs: string };
}

/** Made from the contract or from the project's own handlers when it was new: the project's from then on. */
const OWNED = new Set(['docs/not-served.md', 'spec/openapi.yaml', 'src/handlers/index.ts', 'test/contract/exemptions.json']);

/** What the template has filled in from a contract counts as a change of the project. @returns the files that differ between the templates. */
export async function mergeTemplate(sides: MergeSides): Promise<FileChange[]> {
  const { base, theirs } = sides;
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].filter((path) => !OWNED.has(path)).sort();
  const changed = paths.filter((path) => base.get(path) !== theirs.get(path));
  const changes = await Promise.all(changed.map((path) => mergeFile(path, sides)));
  return changes.filter((change) => change !== undefined);
}

async function mergeFile(path: string, { base, theirs, ours, versions }: MergeSides): Promise<FileChange | undefined> {
  const [before, after, own] = [base.get(path), theirs.get(path), ours(path)];
  const keep = (...conflicts: string[]): FileChange => ({ path, action: 'keep', conflicts });
  if (own === after) return undefined;
  if (after === undefined) {
    if (own === undefined) return undefined;
    return own === before
      ? { path, action: 'remove', conflicts: [] }
      : keep('the template has removed it; it is changed here, so it is kept');
  }
  if (own === undefined)
    return before === undefined
      ? { path, action: 'add', text: after, conflicts: [] }
      : keep('it is deleted here; the template has changed it');
  if (own === before) return { path, action: 'update', text: after, conflicts: [] };
  if (path === 'package.json') return mergeManifest(path, before, own, after);
  const { text, conflicts } = await mergeText(
    { label: `template ${versions.base}`, text: before ?? '' },
    { label: 'this project', text: own },
    { label: `template ${versions.theirs}`, text: after },
  );
  return text === own
    ? undefined
    : { path, action: 'update', text, conflicts: conflicts === 0 ? [] : [`${conflicts} marked with <<<<<<<`] };
}

function mergeManifest(path: string, before: string | undefined, own: string, after: string): FileChange | undefined {
  const ours: unknown = JSON.parse(own);
  const { value, conflicts } = mergeJson(before === undefined ? undefined : JSON.parse(before), ours, JSON.parse(after));
  if (isDeepStrictEqual(value, ours) && conflicts.length === 0) return undefined;
  return {
    path,
    action: 'update',
    text: formatJson(value),
    conflicts: conflicts.map((field) => `${field} is changed on both sides: it is kept`),
  };
}
