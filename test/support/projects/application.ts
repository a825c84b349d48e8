/** An application that is not of this repository, and one route of it moved to a contract as a page says it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { readBlocks, type Block } from '../blocks.ts';
import type { ReadmeStep } from './readme-example.ts';

const PAGE = 'docs/how-to/express.md';
const STEPS = 'Two routes of ten';

/** A file of test/gates/foreign/applications. */
interface Application {
  readonly title: string;
  /** Another application, whose files and edits it has too. */
  readonly extends?: string;
  /** The page about it, beside PAGE: the lines of its edits are there. With `steps` it is followed in the place of PAGE. */
  readonly page?: string;
  readonly steps?: boolean;
  /** By name, before the page is followed. */
  readonly files: Readonly<Record<string, string>>;
  readonly edits?: readonly Edit[];
  /** Its installation: `npm install`. */
  readonly install: string;
  /** Where it is in a workspace, whose files are `workspace`. */
  readonly folder?: string;
  readonly workspace?: Readonly<Record<string, string>>;
  /** The section of the page that differs for it, whose code takes the place of a part of a file. */
  readonly section?: string;
  readonly replaced?: { readonly file: string; readonly from: string; readonly to: string };
  /** Where it mounts the contract. */
  readonly base?: string;
  /** A path that is the application's own: `/users/1`. */
  readonly own?: string;
  /** Whether files end in `.js`. */
  readonly javascript?: boolean;
}
/** What a reader changes in the application. Each line that is added is a line of the page. */
interface Edit {
  readonly file: string;
  readonly replace: string;
  readonly by: string;
}

/** What was written by hand. */
interface Written {
  readonly lines: number;
}

export const readApplication = (name: string): Application => {
  const application = parse(readFileSync(`test/gates/foreign/applications/${name}.yaml`, 'utf8')) as Application;
  if (application.extends === undefined) return application;
  const base = readApplication(application.extends);
  return { ...base, ...application, files: { ...base.files, ...application.files } };
};

/** Writes its files. @returns its folder. */
export function writeApplication(application: Application, parent: string): string {
  const folder = join(parent, application.folder ?? '');
  writeFiles(parent, application.workspace ?? {});
  writeFiles(folder, application.files);
  return folder;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The steps of the page for an application: those before the application is edited, and those after. */
export function readPage(application: Application): { before: ReadmeStep[]; after: ReadmeStep[] } {
  return application.steps === true ? readOwnPage(application) : readCommonPage(application);
}

/** The steps of a page that shows whole files, from the installation on; the document is that of PAGE. */
function readOwnPage({ page = PAGE, install }: Application): { before: ReadmeStep[]; after: ReadmeStep[] } {
  const toStep = ({ file, text }: Block): ReadmeStep => (file === undefined ? { commands: text.trimEnd().split('\n') } : { file, text });
  const [first, ...steps] = readBlocks(page).map(toStep);
  if (first === undefined || 'file' in first || first.commands.join() !== install)
    throw new Error(`${page} does not begin with ${install}`);
  const document = sectionBlocks(STEPS).find(({ file }) => file === 'openapi.yaml');
  if (document === undefined) throw new Error(`${PAGE} does not show openapi.yaml`);
  const end = steps.findLastIndex((step) => 'file' in step) + 1;
  return { before: [toStep(document), ...steps.slice(0, end)], after: steps.slice(end) };
}

function readCommonPage(application: Application): { before: ReadmeStep[]; after: ReadmeStep[] } {
  const { javascript = false, base = '' } = application;
  const blocks = sectionBlocks(STEPS);
  const mount = blocks.findIndex(({ language }) => language === 'js');
  if (mount === -1) throw new Error(`${PAGE} does not show how the contract is mounted`);
  const rename = (text: string) => (javascript ? text.replaceAll(/\b(api|notes\.test|server)\.ts\b/g, '$1.js') : text);
  const adapt = (command: string) => {
    const own = rename(command).replace('localhost:3000/notes', `localhost:3000${base}/notes`);
    return application.install.startsWith('pnpm') ? own.replace(/^npm install/, 'pnpm add').replace(/^npx /, 'pnpm exec ') : own;
  };
  const steps = (part: readonly Block[]) =>
    part.map(({ file, text }): ReadmeStep => {
      if (file === undefined) return { commands: text.trimEnd().split('\n').map(adapt) };
      return { file: rename(file), text: replacePart(rename(file), rename(text), application) };
    });
  const all = { before: steps(blocks.slice(0, mount)), after: steps(blocks.slice(mount + 1)) };
  if (application.install.startsWith('pnpm')) {
    assertCommands(application, [...all.before, ...all.after]);
    all.before.unshift(allowBuilds(application));
  }
  // The test of the route is edited with the application.
  const files = all.after.filter((step) => 'file' in step);
  return { before: [...all.before, ...files], after: all.after.filter((step) => !('file' in step)) };
}

/** @throws Error if the section shows another command than those that are run. */
function assertCommands({ section = '' }: Application, steps: readonly ReadmeStep[]): void {
  const run = steps.flatMap((step) => ('commands' in step ? step.commands.map((command) => command.replace(/ +#.*$/, '')) : []));
  const shown = sectionBlocks(section).flatMap(({ language, text }) => (language === 'sh' ? text.trimEnd().split('\n') : []));
  const others = shown.filter((command) => !run.includes(command));
  if (others.length > 0 || shown.length === 0) throw new Error(`${PAGE} says ${others.join(', ')}, not ${run.join(', ')}`);
}

/** The permissions that the section shows, in the workspace of pnpm. */
function allowBuilds({ section = '', folder = '', workspace = {} }: Application): ReadmeStep {
  const file = 'pnpm-workspace.yaml';
  const shown = sectionBlocks(section).find(({ language }) => language === 'yaml')?.text ?? '';
  return { file: join(relative(folder, ''), file), text: workspace[file]?.replace(/allowBuilds:[^]*/, shown) ?? shown };
}

function sectionBlocks(heading: string): Block[] {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const start = lines.findIndex((line) => /^##+ /.test(line) && line.includes(heading));
  const length = lines.slice(start + 1).findIndex((line) => /^##+ /.test(line));
  if (start === -1) throw new Error(`${PAGE} has no section ${heading}`);
  return readBlocks(PAGE).filter(({ line }) => line > start && line <= start + 1 + length);
}

/** The code of the application's section in the place of what differs for it. */
function replacePart(file: string, text: string, { section = '', replaced }: Application): string {
  if (replaced?.file !== file) return text;
  const code = sectionBlocks(section)[0]?.text ?? '';
  const start = text.indexOf(replaced.from);
  const end = replaced.to === '' ? text.length : text.indexOf(`\n${replaced.to}\n`, start) + replaced.to.length + 2;
  if (start === -1 || end < start) throw new Error(`${PAGE}: ${file} has no part from ${replaced.from} to ${replaced.to}`);
  return text.slice(0, start) + code + text.slice(end);
}

/** Edits the application. @throws Error if the page does not have a line that is added. @returns what was written by hand, with the files of the page. */
export function editApplication(application: Application, folder: string, steps: readonly ReadmeStep[]): Written {
  const page = [PAGE, application.page ?? PAGE].map((name) => readFileSync(name, 'utf8')).join('\n');
  const known = application.javascript === true ? page.replaceAll("'./api.ts'", "'./api.js'") : page;
  let lines = steps.reduce((sum, step) => sum + ('file' in step ? step.text.trimEnd().split('\n').length : 0), 0);
  for (const { file, replace, by } of application.edits ?? []) {
    const text = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
    if (!text.includes(replace.trim())) throw new Error(`${file} does not have ${replace}`);
    const added = by.trim().split('\n').map((line) => line.trim()); // prettier-ignore
    const own = added.filter((line) => !text.includes(line) && !isShown(known, line));
    if (own.length > 0) throw new Error(`${PAGE} does not show: ${own.join('; ')}`);
    lines += added.filter((line) => line !== '' && !text.includes(line)).length;
    writeFileSync(
      join(folder, file),
      text.replace(replace.trim(), () => by.trim()),
    );
  }
  return { lines };
}

/** Whether the page has a line of code, as a line or within one; a setting without its comma. */
const isShown = (page: string, line: string): boolean => page.includes(line.replace(/,$/, ''));

/** MB of a folder, as `du` counts them: a file that several folders share counts once. */
export const megabytes = (folder: string): number => Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
