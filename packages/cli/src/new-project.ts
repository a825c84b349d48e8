/** `npm run new -- DIR --spec FILE`: makes a project of its own from another OpenAPI document, with this machinery around it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ContractError, checkDocument, parseSource, assertSchemasCompile, type SourceDocument } from '@specwright/server';
import { bundleSpec } from './bundle/bundle-spec.ts';
import type { Files } from './new/files.ts';
import { notesOnScreen } from './new/notes.ts';
import { composeProject } from './new/project.ts';
import { UsageError } from './command.ts';

/** What remains once the files are there, in order. `add-operation` generates, too. */
const STEPS: readonly (readonly string[])[] = [
  ['install', '--no-audit', '--no-fund'],
  ['run', 'add-operation', '--', '--no-tests'],
  ['run', 'lint:baseline'],
  ['run', 'format', '--', '--log-level', 'warn'],
];

export interface NewProjectOptions {
  /** The folder, from where the command was called. */
  readonly target: string;
  /** An OpenAPI 3.0 document. */
  readonly spec: string;
  readonly name: string | undefined;
  readonly install: boolean;
}

/** Makes a project. @throws Error with everything that prevents it; UsageError for a name that npm does not take. */
export async function newProject(values: NewProjectOptions): Promise<void> {
  // npm runs scripts in the folder of package.json, wherever it was called.
  const from = process.env['npm_lifecycle_event'] === 'new' ? (process.env['INIT_CWD'] ?? process.cwd()) : process.cwd();
  const folder = resolve(from, values.target);
  requireFree(folder);
  const name = nameOf(values.name ?? basename(folder), values.name === undefined);

  const { source, said } = await readSpec(resolve(from, values.spec));
  for (const line of said) console.log(line);
  const project = composeProject({ source, name });
  for (const line of notesOnScreen(project.notes)) console.log(line);
  write(folder, project.files);
  console.log(`${near(folder)}: ${project.files.size} files`);

  const failed = values.install ? await finish(folder) : 0;
  const remaining = failed === undefined ? [] : STEPS.slice(failed);
  if (remaining.length > 0) {
    const commands = [`cd ${quoted(near(folder))}`, ...remaining.map((step) => `npm ${step.join(' ')}`)];
    const todo = `what remains:\n${commands.map((command) => `  ${command}`).join('\n')}`;
    if (values.install)
      throw new Error(`the project is there, but \`npm ${STEPS[failed ?? 0]?.join(' ') ?? ''}\` failed (see above); ${todo}`);
    console.log(todo);
    return;
  }
  for (const scheme of project.schemes)
    console.log(`security scheme ${scheme}: nobody verifies its credentials yet; write it in src/security.ts`);
  console.log(`\nNext:\n  cd ${quoted(near(folder))}\n  npm start\n  npm test\nREADME.md says what to write first.`);
}

/** @throws Error if something is there. */
function requireFree(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new Error(`${near(folder)} is a file: name a folder that is empty or not there yet`);
  if (readdirSync(folder).length > 0) throw new Error(`${near(folder)} is not empty: name a folder that is, or that is not there yet`);
}

/** A name that npm takes (lower case, digits, dashes). @throws UsageError */
function nameOf(given: string, mayChange: boolean): string {
  const name = given.toLowerCase().normalize('NFKD').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 50); // prettier-ignore
  if (name === '' || (!mayChange && name !== given))
    throw new UsageError(
      `${given} cannot be the name of a project: use lower-case letters, digits and dashes, such as --name ${name === '' ? 'my-api' : name}`,
    );
  return name;
}

/** @throws Error with everything that keeps the document from being served, before anything is written. */
async function readSpec(file: string): Promise<{ source: SourceDocument; said: readonly string[] }> {
  if (!existsSync(file)) throw new Error(`${near(file)} is not there: --spec names an OpenAPI 3.0 document`);
  const { text, notes } = await bundleSpec(file);
  const source = parseSource(file, text);
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(file, problems);
  await assertSchemasCompile(source);
  return { source, said: notes };
}

/** All or nothing: what cannot be written whole is removed. */
function write(folder: string, files: Files): void {
  const existed = existsSync(folder);
  try {
    for (const [path, text] of files) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text, { mode: path === '.ci/run' ? 0o755 : 0o644 });
    }
  } catch (error) {
    if (existed) for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true });
    else if (existsSync(folder)) rmSync(folder, { recursive: true });
    throw new Error(`${near(folder)} cannot be written: ${(error as Error).message}. Name a folder that you may write to`, {
      cause: error,
    });
  }
}

/** Installs and generates, with the project's own tools. @returns the first step that failed. */
async function finish(folder: string): Promise<number | undefined> {
  for (const [i, step] of STEPS.entries()) {
    console.log(`npm ${step.join(' ')}`);
    // What npm set for this project is not for that one.
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(npm_(package|lifecycle)_|INIT_CWD$)/.test(key)));
    const child = spawn('npm', [step[0] === 'run' ? '--silent' : '', ...step].filter(Boolean), {
      cwd: folder,
      env,
      stdio: ['ignore', step[0] === 'run' ? 'ignore' : 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    const code = await new Promise<number | null>((settle) => {
      child.once('close', settle);
      child.once('error', (error) => {
        console.error(error.message);
        settle(1);
      });
    });
    if (code !== 0) return i;
  }
  return undefined;
}

const near = (path: string) => relative(process.cwd(), path) || '.';
const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
