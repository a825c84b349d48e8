/**
 * `node scripts/bundle-libraries.mjs [ROOT]`: bundles libraries into the packages that were built. Each module of `src/libraries` of a package,
 * and each library that it requires while it serves, becomes one file in `dist`, so that a project installs neither the library nor its
 * dependencies. The checkout imports the libraries themselves. `dist/LICENSES.txt` has their versions and licences.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [, , root = fileURLToPath(new URL('..', import.meta.url))] = process.argv;
const PACKAGES = join(root, 'packages');
const LICENSES = 'LICENSES.txt';

/** Libraries that a package loads by `requireLibrary`, when a server needs them. */
const REQUIRED = { contract: ['js-yaml', 'qs'], postgres: ['@opentelemetry/api'], server: ['@opentelemetry/api', 'express'] };

/** Parts that are required and never called. */
const OMITTED = [
  // Middleware of Express, which an application takes from its own one.
  /(body-parser|serve-static)\/index\.js$/,
  // The rules of Spectral for other documents, with 8 MB of schemas.
  /@stoplight\/spectral-rulesets\/dist\/(asyncapi|arazzo)\/index\.js$/,
  // Formats of Prettier in which nothing of a project is written.
  /prettier\/plugins\/(acorn|angular|flow|glimmer|html|meriyah|postcss)\.mjs$/,
];

/** The entry of our packages that asks for a library that is bundled; all others are imported, because they are installed. */
const BUNDLED_ENTRY = '@specwright/server/mcp';

/** Files that are read where a library is, by package: what `find` returns is copied below `dist`. */
const COPIED = {
  server: {
    library: 'swagger-ui-dist',
    folder: '.',
    to: 'swagger-ui',
    find: async (dist) => (await import(join(dist, 'endpoints/docs-files.js'))).SWAGGER_UI_FILES,
  },
  // What a program is checked with.
  specwright: {
    library: 'typescript',
    folder: 'lib',
    to: 'libraries',
    find: (_, folder) => readdirSync(folder).filter((name) => /^lib\..*\.d\.ts$|^lib\.d\.ts$/.test(name)),
    // What they say to an editor is half of them.
    change: (text) => text.replaceAll(/\/\*\*[^]*?\*\/\s*/g, ''),
  },
};

/** Modules of CommonJS load others by `require`, and look for files beside them. */
const BANNER =
  "import { createRequire as createLibraryRequire } from 'node:module'; import { fileURLToPath as libraryPath } from 'node:url';" +
  'const require = createLibraryRequire(import.meta.url), __filename = libraryPath(import.meta.url), __dirname = libraryPath(new URL(".", import.meta.url));';

const leaveParts = {
  name: 'leave-parts',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@specwright\// }, ({ path }) => (path === BUNDLED_ENTRY ? undefined : { path, external: true }));
    for (const filter of OMITTED) onLoad({ filter }, () => ({ contents: '' }));
  },
};

const OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [leaveParts],
};

/** @returns the folders of the packages that are in the bundles. */
async function bundleRequired(name, folder) {
  const folders = [];
  for (const library of REQUIRED[name] ?? []) {
    const { metafile } = await build({
      ...OPTIONS,
      stdin: { contents: `module.exports = require('${library}');`, resolveDir: folder },
      outfile: join(folder, 'dist/libraries', `${library.replace('/', '-')}.cjs`),
      format: 'cjs',
      absWorkingDir: folder,
    });
    folders.push(...packagesOf(folder, metafile));
  }
  return folders;
}

/** @returns the same. */
async function bundle(folder) {
  const [source, target] = ['src', 'dist'].map((part) => join(folder, part, 'libraries'));
  if (!existsSync(source)) return [];
  // What the compiler made of them, and parts of an earlier run.
  for (const name of readdirSync(target)) if (/\.js(\.map)?$/.test(name)) rmSync(join(target, name));
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: readdirSync(source).map((name) => join(source, name)),
    outdir: target,
    splitting: true,
    format: 'esm',
    banner: { js: BANNER },
    // What Node loads of it requires its parts by a variable.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    absWorkingDir: folder,
  });
  return packagesOf(folder, metafile);
}

const packagesOf = (folder, { inputs }) => Object.keys(inputs).flatMap((path) => packageOf(resolve(folder, path)) ?? []);

async function copy(name, dist) {
  const copied = COPIED[name];
  if (copied === undefined) return [];
  const from = dirname(createRequire(join(PACKAGES, name, 'package.json')).resolve(`${copied.library}/package.json`));
  const folder = join(from, copied.folder);
  mkdirSync(join(dist, copied.to), { recursive: true });
  for (const file of await copied.find(dist, folder)) {
    cpSync(join(folder, file), join(dist, copied.to, file));
    if (copied.change) writeFileSync(join(dist, copied.to, file), copied.change(readFileSync(join(folder, file), 'utf8')));
  }
  return [from];
}

/** @returns the folder of the package that a file is in; `undefined` for one of this repository. */
function packageOf(file) {
  const inModules = file.lastIndexOf(`${sep}node_modules${sep}`);
  if (inModules === -1) return undefined;
  const start = inModules + `${sep}node_modules${sep}`.length;
  const [first, second] = file.slice(start).split(sep);
  return join(file.slice(0, start), first, ...(first.startsWith('@') ? [second] : []));
}

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The licences of packages, each text once. @throws Error for a package that has none. */
function formatLicenses(folders) {
  const byText = new Map();
  for (const folder of [...new Set(folders)].sort()) {
    const { name, version, licenses, license = licenses?.[0]?.type, homepage } = readManifest(folder);
    if (typeof license !== 'string') throw new Error(`${name} ${version} has no licence: it cannot be bundled`);
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice|third-?party)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const text =
      texts.join('\n\n') || `Licensed under ${license}. The package has no file with the text: ${homepage ?? `npmjs.com/package/${name}`}`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const listed = [...byText.values()].flat().sort();
  const texts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return [`Libraries that this package contains, in whole or in part:\n\n${listed.join('\n')}\n`, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

for (const name of readdirSync(PACKAGES)) {
  const folder = join(PACKAGES, name);
  // Only what was built.
  if (!existsSync(join(folder, 'dist'))) continue;
  const used = [...(await bundle(folder)), ...(await bundleRequired(name, folder)), ...(await copy(name, join(folder, 'dist')))];
  if (used.length > 0) writeFileSync(join(folder, 'dist', LICENSES), formatLicenses(used));
}
