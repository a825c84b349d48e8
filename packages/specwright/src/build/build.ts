/** Builds the programs of a project: JavaScript that Node runs without a loader, in few files, so that it starts fast. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProvenSpec, proveSpec } from '@specwright/contract/document';
import { findSwaggerUi, SWAGGER_UI_FILES } from '@specwright/server/docs';
import {
  type BuildFailure,
  type BuildOptions,
  type BuildResult,
  type Message,
  type Metafile,
  type OutputFile,
  type Plugin,
  build as bundle,
} from 'esbuild';
import { BUILD_FOLDER, type BuildManifest, fileState } from '../../bin/build-manifest.mjs';
import { removeFile, writeFile } from '../files/write-files.ts';
import { digestedFiles, findEdited, formatEdited, generatedFolders } from '../generate/generated-files.ts';
import { SOURCE_CONDITION, siblingModule } from '../node-arguments.ts';
import type { Project, ProjectConfig } from '../project-config.ts';

const OWN_FOLDER = dirname(fileURLToPath(import.meta.url));
const SWAGGER_UI = 'swagger-ui';
const OWN_PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));
/** What runs before a program. */
const PRELOADED = fileURLToPath(siblingModule('before-program', import.meta.url));
/** For what is beside the modules, as `import.meta.url` is that of the source; and for the modules of packages that are not ES modules. */
const BANNER =
  "import { createRequire as createBuildRequire } from 'node:module'; const SPECWRIGHT_BUILD = import.meta.url, require = createBuildRequire(SPECWRIGHT_BUILD);";
/** What a program imports first: it refuses an old Node.js, whatever the rest is written in. */
const NODE_CHECK = fileURLToPath(new URL('../../bin/require-node.mjs', import.meta.url));
/** A server that still runs may import parts of an earlier build. */
const KEEP_MS = 24 * 60 * 60_000;

export interface Built {
  /** The modules to be run, from the root of the project. */
  readonly programs: readonly string[];
  /** In bytes, without source maps. */
  readonly size: number;
}

type SpecFiles = readonly [spec: string, document: string];

/**
 * Builds `main` and `programs`, with the packages of ours that they import; third-party ones stay in `node_modules`. Types are not checked.
 * The specs are parsed here, so that a start need not: what it finds to be wrong is reported by the start.
 *
 * Several builds at once are safe: the names of modules have the hash of their content, and what is read last is written last.
 *
 * @throws Error with the location of everything that is wrong, and of generated files that were edited by hand.
 */
export async function build(project: BuiltProject): Promise<Built> {
  const { root, main, programs } = project;
  await assertUnedited(project);
  const specs = project.contracts.map((contract): SpecFiles => [
    join(root, contract.spec),
    join(root, contract.generated, 'document.json'),
  ]);
  const folder = join(root, BUILD_FOLDER);
  const states = new Map<string, string>();
  const note = (paths: readonly string[]) => paths.forEach((path) => states.set(path, fileState(path)));
  note([...['package.json', 'package-lock.json', 'tsconfig.json'].map((path) => join(root, path)), ...specs.flat(), ...builderFiles()]);
  note(generatedFolders(project).flatMap((folder) => digestedFiles(folder).map((path) => join(root, path))));
  const { metafile, outputFiles } = await runBundler({
    absWorkingDir: root,
    entryPoints: [main, ...programs, PRELOADED],
    outdir: folder,
    plugins: [externalPackages(root, folder), sourceModules(folder, states)],
    banner: { js: BANNER },
    define: { SPECWRIGHT_SPECS: JSON.stringify(specs.flatMap(prove)) },
  });
  note(manifestsOf([...states.keys()]));

  for (const { path, contents } of outputFiles) if (!existsSync(path)) writeFile(root, path, contents);
  const assets = copySwaggerUi(root, folder);
  writeFile(root, join(folder, basename(NODE_CHECK)), readFileSync(NODE_CHECK));
  const modules = modulesOf(root, metafile);
  const started = Object.fromEntries(
    [main, ...programs].map((program) => [program, writeProgram(root, program, [PRELOADED, program].map(modules))]),
  );
  const manifest: BuildManifest = {
    inputs: Object.fromEntries([...states].map(([path, state]) => [relative(root, path), state])),
    outputs: [...outputFiles.map(({ path }) => basename(path)), basename(NODE_CHECK), ...Object.values(started), ...assets],
    programs: started,
  };
  writeFile(root, join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  removeOld(root, folder, new Set(manifest.outputs));
  return { programs: Object.values(started).map((name) => join(BUILD_FOLDER, name)), size: sizeOf(outputFiles) };
}

async function runBundler(options: BuildOptions): Promise<BuildResult<{ write: false; metafile: true }>> {
  try {
    return await bundle({
      ...options,
      // All in one folder: what they import by a relative path is the same for each.
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      // Names stay, for stack traces and profiles.
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      conditions: process.execArgv.includes(SOURCE_CONDITION) ? [SOURCE_CONDITION.replace('--conditions=', '')] : [],
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (errors === undefined) throw error;
    const problems = errors.map((problem) => `  ${describe(problem)}\n`).join('');
    throw new Error(`the build failed:\n${problems}Fix this and start again; \`npm run dev\` does so at each save.`, { cause: error });
  }
}

const describe = ({ location, text }: Message): string =>
  location === null ? text : `${location.file}:${location.line}:${location.column + 1} ${text}`;

/** The page at `/docs` needs them. @returns their names. */
function copySwaggerUi(root: string, folder: string): string[] {
  const source = findSwaggerUi();
  if (source === undefined) return [];
  for (const name of SWAGGER_UI_FILES) writeFile(root, join(folder, SWAGGER_UI, name), readFileSync(join(source, name)));
  return SWAGGER_UI_FILES.map((name) => `${SWAGGER_UI}/${name}`);
}

const prove = ([spec, document]: SpecFiles): ProvenSpec[] => (existsSync(spec) ? [proveSpec(spec, document) ?? []].flat() : []);

/** The files of this program, and its version. */
const builderFiles = () => [OWN_PACKAGE, NODE_CHECK, ...readdirSync(OWN_FOLDER).map((name) => join(OWN_FOLDER, name))];

/** The package.json of each package of ours, which says which of its modules are meant. */
const manifestsOf = (sources: readonly string[]) => [
  ...new Set(sources.flatMap((path) => /^(.*?(?:packages|@specwright)[\\/][^\\/]+[\\/])(?:src|dist)[\\/]/.exec(path)?.[1] ?? [])),
].map((folder) => join(folder, 'package.json')); // prettier-ignore

/** @returns the name of the module that was made of a program. */
function modulesOf(root: string, { outputs }: Metafile): (program: string) => string {
  const names = Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint && resolve(root, entryPoint), basename(path)] as const);
  const byProgram = new Map(names);
  return (program) => byProgram.get(resolve(root, program)) ?? '';
}

const sizeOf = (files: readonly OutputFile[]) =>
  files.reduce((sum, { path, contents }) => sum + (path.endsWith('.map') ? 0 : contents.length), 0);

/** `main.js`: of one name in every build. */
function writeProgram(root: string, source: string, modules: readonly string[]): string {
  const name = `${basename(source, extname(source))}.js`;
  const imports = modules.map((module) => `await import('./${module}');\n`).join('');
  writeFile(
    root,
    join(BUILD_FOLDER, name),
    `/** ${source.replaceAll('*/', '* /')}, built by \`specwright build\`. */\nimport './${basename(NODE_CHECK)}';\n${imports}`,
  );
  return name;
}

function removeOld(root: string, folder: string, current: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    if (name === SWAGGER_UI) continue;
    const path = join(folder, name);
    // Another build at this moment has removed or renamed what it was.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (name !== 'manifest.json' && !current.has(name) && stats !== undefined && Date.now() - stats.mtimeMs > KEEP_MS)
      removeFile(root, path);
  }
}

/**
 * @param folder where the modules go. What a module finds beside its source has to be at the same place seen from there when it runs.
 * @param states gets path -> state, from before it was read: a file that changes meanwhile makes the build an old one.
 */
const sourceModules = (folder: string, states: Map<string, string>): Plugin => ({
  name: 'source-modules',
  setup(build) {
    build.onLoad({ filter: /./, namespace: 'file' }, async ({ path }) => {
      states.set(path, fileState(path));
      const source = /\.[cm]?[jt]s$/.test(path) ? await readFile(path, 'utf8') : '';
      if (!source.includes('import.meta.url')) return undefined;
      const url = JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
      const loader = path.endsWith('ts') ? 'ts' : 'js';
      return { contents: source.replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`), loader };
    });
  },
});

interface BuiltProject extends Pick<Project, 'root' | 'main' | 'programs' | 'databaseFolder'> {
  readonly contracts: readonly Pick<ProjectConfig, 'spec' | 'generated'>[];
}

/** @throws Error with each edited file and the line where it first differs. */
async function assertUnedited(project: BuiltProject): Promise<void> {
  const edited = generatedFolders(project).flatMap(findEdited);
  if (edited.length === 0) return;
  const generated = new Map<string, string>();
  for (const contract of project.contracts)
    for (const [path, text] of await regenerate(project.root, contract).catch(() => [])) generated.set(path, text);
  const problems = edited.map((file) => `  ${formatEdited(file, generated.get(file.path))}\n`);
  throw new Error(`generated files do not match the spec:\n${problems.join('')}Restore them and start again.`);
}

/** @returns path from the root, and content, of those files that are made from the spec alone. */
async function regenerate(root: string, { spec, generated }: BuiltProject['contracts'][number]): Promise<[string, string][]> {
  // Loaded only for the message: it takes longer than a build.
  const { readDocument } = await import('@specwright/contract/document');
  const { generateUnchecked, generatedForm } = await import('../generate/generate.ts');
  const files = await generateUnchecked(readDocument(join(root, spec)), generatedForm(join(root, generated)));
  return [...files].map(([name, text]) => [join(generated, name).replaceAll('\\', '/'), text]);
}

/** Leaves third-party packages in `node_modules`, where Node finds them: they may have files, native code and state. */
const OWN = '@specwright/';
/** Read at every start, from hundreds of modules, of which a part is used: to find and read each costs more than to run it. */
const BUNDLED = ['zod', 'knex', 'lodash', 'tarn', '@modelcontextprotocol/server', '@modelcontextprotocol/core'];
/** Marks the second resolution of a path, which is esbuild's. */
const RESOLVED = Symbol('resolved');

/** @param root of the project; @param folder where the modules go. */
const externalPackages = (root: string, folder: string): Plugin => ({
  name: 'external-packages',
  setup(build) {
    // A start with a document that was checked by the build does not load it: 1 MB that need not be copied.
    build.onResolve({ filter: /\/libraries\/redocly\.js$/ }, ({ path, resolveDir }) => ({
      path: relative(folder, join(resolveDir, path)).replaceAll('\\', '/'),
      external: true,
    }));
    build.onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (kind === 'entry-point' || pluginData === RESOLVED || path.startsWith('node:') || path.startsWith(OWN)) return undefined;
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
      if (BUNDLED.includes(name)) return undefined;
      if (packageFolder(name, resolveDir) === packageFolder(name, root)) return { path, external: true };
      // A package of ours depends on another version: found from there, not from where the built modules are.
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: RESOLVED });
      return { path: relative(folder, found.path).replaceAll('\\', '/'), namespace: 'own-version', external: true };
    });
  },
});

function packageFolder(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(found)) return found;
    if (dirname(at) === at) return undefined;
  }
}
