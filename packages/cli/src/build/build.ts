/** Builds the programs of a project: JavaScript that Node runs without a loader, in few files, so that it starts fast. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle, type BuildFailure, type Message, type Metafile } from 'esbuild';
import { BUILD_FOLDER, fileState, type BuildManifest } from '../../bin/build-manifest.mjs';
import { siblingModule, SOURCE_CONDITION } from '../node-arguments.ts';
import type { ProjectConfig } from '../project-config.ts';
import { keepModuleUrls } from './keep-module-urls.ts';
import { externalPackages } from './external-packages.ts';

const OWN_FOLDER = dirname(fileURLToPath(import.meta.url));
const STACK_TRACES = fileURLToPath(siblingModule('map-stack-traces', import.meta.url));
/** A server that still runs may import parts of an earlier build. */
const KEEP_MS = 24 * 60 * 60_000;

export interface Built {
  /** The modules to be run, from the root of the project. */
  readonly programs: readonly string[];
  /** In bytes, without source maps. */
  readonly size: number;
}

/**
 * Builds `main` and `programs`, with the packages of ours that they import; others stay in `node_modules`. Types are not checked.
 *
 * Several builds at once are safe: the names of modules have the hash of their content, and what is read last is written last.
 *
 * @throws Error with the location of everything that is wrong.
 */
export async function build({ root, main, programs }: Pick<ProjectConfig, 'root' | 'main' | 'programs'>): Promise<Built> {
  const folder = join(root, BUILD_FOLDER);
  // Before anything is read: a file that changes meanwhile makes the build an old one.
  const settings = states(root, ['package.json', 'package-lock.json', 'tsconfig.json']);
  const { metafile, outputFiles } = await runBundler(root, [main, ...programs], folder);

  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) if (!existsSync(path)) writeWhole(path, contents);
  const outputs = outputFiles.map(({ path }) => basename(path));
  const modules = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [entryPoint && resolve(root, entryPoint), basename(path)]),
  );
  const started = Object.fromEntries(
    [main, ...programs].map((source) => [
      source,
      writeProgram(
        folder,
        source,
        [STACK_TRACES, resolve(root, source)].map((path) => modules.get(path) ?? ''),
      ),
    ]),
  );
  const manifest: BuildManifest = {
    inputs: { ...states(root, inputsOf(root, metafile)), ...settings },
    outputs: [...outputs, ...Object.values(started)],
    programs: started,
  };
  writeWhole(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  removeOld(folder, new Set(manifest.outputs));
  const code = outputFiles.filter(({ path }) => !path.endsWith('.map'));
  return {
    programs: Object.values(started).map((name) => join(BUILD_FOLDER, name)),
    size: code.reduce((sum, { contents }) => sum + contents.length, 0),
  };
}

async function runBundler(root: string, programs: readonly string[], folder: string) {
  try {
    return await bundle({
      absWorkingDir: root,
      entryPoints: [...programs, STACK_TRACES],
      outdir: folder,
      // All in one folder: what they import by a relative path is the same for each.
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      conditions: process.execArgv.includes(SOURCE_CONDITION) ? [SOURCE_CONDITION.replace('--conditions=', '')] : [],
      plugins: [externalPackages(root, folder), keepModuleUrls(folder)],
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (errors === undefined) throw error;
    throw new Error(`the build failed:\n${errors.map((problem) => `  ${describe(problem)}`).join('\n')}\nFix this and start again; \`npm run dev\` does so at each save.`, { cause: error }); // prettier-ignore
  }
}

const describe = ({ location, text }: Message): string =>
  location === null ? text : `${location.file}:${location.line}:${location.column + 1} ${text}`;

const states = (root: string, paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, fileState(join(root, path))]));

/** The sources, the manifests that say which of them are meant, and the files of this program. */
function inputsOf(root: string, { inputs }: Metafile): string[] {
  const sources = Object.keys(inputs);
  const packages = new Set(sources.flatMap((path) => /^(.*?(?:packages|@specwright)\/[^/]+)\/(?:src|dist)\//.exec(path)?.[1] ?? []));
  const builder = readdirSync(OWN_FOLDER).map((name) => join(OWN_FOLDER, name));
  return [...sources, ...[...packages].map((path) => `${path}/package.json`), ...builder.map((path) => relative(root, path))];
}

/** `main.js`: of one name in every build. */
function writeProgram(folder: string, source: string, modules: readonly string[]): string {
  const name = `${basename(source, extname(source))}.js`;
  const imports = modules.map((module) => `await import('./${module}');\n`).join('');
  writeWhole(join(folder, name), `/** ${source}, built by \`specwright build\`. */\n${imports}`);
  return name;
}

/** A process that reads it gets all of it, or what was there before. */
function writeWhole(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

function removeOld(folder: string, current: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name !== 'manifest.json' && !current.has(name) && Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { force: true });
  }
}
