/** Tries edits in a development loop, one after the other: what turns red first, when, where, and what the loop says to do next. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DONE, type DevLoop } from '../projects/dev.ts';
import { findMisplaced, type EditedFile } from './edit-location.ts';
import type { Edit, TextChange } from './edits.ts';
import type { Project } from '../projects/project.ts';

export interface EditResult {
  readonly what: string;
  /** The first part of the loop with a problem, or `green`. */
  readonly red: string;
  /** The first line of the problem. */
  readonly problem: string;
  /** The time from the save until it was shown, or until all was, in ms. */
  readonly ms: number;
  readonly next: string;
  /** What the loop should have said, if it did not. */
  readonly mistake?: string;
}

/** The parts in the order in which the loop shows them; a part with a problem says what to do after a semicolon. */
const PART = /^(spec|generated|handlers|types|database|tests|lint|walk|server) {2,}(.*; .*)\n((?: {2}.*\n)*)/gm;

/** Applies the edit, reads what the loop says of it, and takes it back. @throws Error if the text to change is not there. */
export async function tryEdit(project: Project, dev: DevLoop, edit: Edit): Promise<EditResult> {
  const files = [...new Set(edit.changes.map(({ file }) => join(project.folder, file)))];
  const before = await Promise.all(files.map(async (file) => [file, await readFile(file)] as const));
  const created = Object.entries(edit.created ?? {}).map(([file, content]) => [join(project.folder, file), content] as const);
  const { text, shownAfter } = await dev.afterSave(async () => {
    await applyChanges(project, edit.changes);
    for (const [file, content] of created) await writeFile(file, content, { flag: 'wx' });
  });
  const named = [...text.matchAll(/[\w./-]+\.(?:ts|yaml|sql|json)(?=:\d)/g)].map(([file]) => file);
  const readNamed = async (file: string) => [file, await readFile(join(project.folder, file), 'utf8').catch(() => '')] as const;
  const texts = new Map(await Promise.all([...new Set(named)].map(readNamed)));
  const edited = new Map<string, EditedFile>(Object.entries(edit.created ?? {}).map(([file, after]) => [file, { before: '', after }]));
  for (const [file, content] of before)
    edited.set(relative(project.folder, file), { before: content.toString(), after: await readFile(file, 'utf8') });
  const parts = [...text.matchAll(PART)].filter(([, , summary = '']) => !summary.startsWith('ok; '));
  const [, red = 'green', summary = '', details = ''] = parts[0] ?? [];
  const problem = (details.split('\n')[0]?.trim() ?? '') || summary;
  const next = /^next +(.*)$/m.exec(text)?.[1] ?? '';
  await dev.after(async () => {
    for (const [file, content] of before) await writeFile(file, content);
    for (const [file] of created) await rm(file);
  }, DONE);
  const misplaced =
    red === 'green' ? [] : [problem, next].flatMap((line) => findMisplaced(line, edited, edit.at, (file) => texts.get(file) ?? '') ?? []);
  const says = edit.says === undefined || edit.says.test(`${summary}\n${details}`);
  const mistake =
    red === edit.red && says && misplaced.length === 0
      ? undefined
      : [`should be ${edit.red}${edit.says === undefined ? '' : `, saying ${String(edit.says)}`}:`, ...misplaced, text].join('\n');
  const ms = Math.round(shownAfter.get(red === 'green' ? 'next' : red) ?? NaN);
  return { what: edit.what, red, problem, ms, next, ...(mistake !== undefined && { mistake }) };
}

async function applyChanges({ folder }: Project, changes: readonly TextChange[]): Promise<void> {
  for (const change of changes) {
    const path = join(folder, change.file);
    await writeFile(path, applyChange(await readFile(path, 'utf8'), change));
  }
}

/** @throws Error if the text to change is not there, so that no edit is lost unnoticed. */
export function applyChange(text: string, { file, part, from, to }: TextChange): string {
  const start = text.indexOf(part);
  const at = text.indexOf(from, start);
  if (start === -1 || at === -1) throw new Error(`${file} has no ${JSON.stringify(start === -1 ? part : from)}: adapt the edit to it`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}
