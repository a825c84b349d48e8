/** The drawing of the path of a request in docs/architecture.md: its files, in the order in which it comes to them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../support/compile.ts';
import { formatted } from '../support/report.ts';

const PAGE = join(ROOT, 'docs/architecture.md');
const [START, END] = ['<!-- path of a request -->', '<!-- end of the path -->'];

/** `packages/server/src/pipeline/match/router.ts` -> `server: pipeline/match`. */
const folderOf = (path: string): string => {
  const [, name, folder = ''] = /^packages\/([^/]+)\/src\/?(.*)$/.exec(dirname(path)) ?? [];
  return name === undefined ? dirname(path) : [name, folder].filter((part) => part !== '').join(': ');
};

/** @param files in their order. @returns a box for the files of one folder that follow each other. */
export function pathDrawing(files: readonly string[]): string {
  const boxes: { readonly folder: string; readonly names: string[] }[] = [];
  for (const file of files) {
    const folder = folderOf(file);
    const last = boxes.at(-1);
    if (last?.folder === folder) last.names.push(basename(file, '.ts'));
    else boxes.push({ folder, names: [basename(file, '.ts')] });
  }
  const lines = boxes.map(({ folder, names }, i) => `  ${i}["<b>${folder}</b><br>${names.join('<br>')}"]`);
  return ['```mermaid', 'flowchart TD', ...lines, `  ${boxes.map((_, i) => i).join(' --> ')}`, '```'].join('\n');
}

/** The files of the drawing on a page, in its order: as `folder name`. */
const drawnFiles = (page: string): string[] =>
  [...page.slice(page.indexOf(START), page.indexOf(END)).matchAll(/\["<b>(.+?)<\/b><br>(.+?)"\]/g)].flatMap(([, folder = '', names = '']) =>
    names.split('<br>').map((name) => `${folder} ${name}`),
  );

/** Whether the page draws these files. In another order is enough: what timers run may come earlier. */
export function isDrawn(files: readonly string[], page = readFileSync(PAGE, 'utf8')): boolean {
  const [drawn, expected] = [page, `${START}${pathDrawing(files)}${END}`].map((text) => drawnFiles(text).sort().join());
  return drawn === expected;
}

export async function drawPath(files: readonly string[]): Promise<void> {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/architecture.md has no section ${START} ... ${END}: add it`);
  const text = `${page.slice(0, from)}${START}\n\n${pathDrawing(files)}\n\n${page.slice(to)}`;
  writeFileSync(PAGE, await formatted(PAGE, text));
}
