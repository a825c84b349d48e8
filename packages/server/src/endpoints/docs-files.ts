/** The files of the page at /docs, which is loaded when it is asked for (`docs-page.ts`). */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN_FILES = fileURLToPath(new URL('../../assets', import.meta.url));

export const SWAGGER_UI_FILES = ['favicon-32x32.png', 'oauth2-redirect.js', 'swagger-ui.css', 'swagger-ui-bundle.js'] as const;

/** The URL of a built module, in whose folder `swagger-ui/` has `SWAGGER_UI_FILES`; not there when the sources run. */
declare const SPECWRIGHT_BUILD: string | undefined;

/** Where Swagger UI is: in the build of a project, in this package, or where its sources find it; `undefined` in the bundle of another tool. */
export function findSwaggerUi(): string | undefined {
  const built = typeof SPECWRIGHT_BUILD === 'undefined' ? [] : [new URL('swagger-ui', SPECWRIGHT_BUILD)];
  const found = [...built, new URL('../swagger-ui', import.meta.url)].map((url) => fileURLToPath(url)).find((folder) => existsSync(folder));
  if (found !== undefined) return found;
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return undefined;
  }
}

export type ServedFile = readonly [file: string, type: string];

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', png: 'image/png' } as const;

/** @param name in the folder `assets` of this package. */
export const ownFile = (name: string): ServedFile => [join(OWN_FILES, name), TYPES[name.endsWith('.css') ? 'css' : 'js']];

/** The path of each. @param swaggerUi the folder of Swagger UI. @param reloads whether pages load themselves again. */
export function docsFiles(swaggerUi: string, reloads: boolean): readonly (readonly [path: string, file: ServedFile])[] {
  // In the bundle of another tool there may be no such folder.
  const own = existsSync(OWN_FILES) ? readdirSync(OWN_FILES) : [];
  const served = own.filter((name) => /\.(css|js)$/.test(name) && name !== 'index.css' && (reloads || name !== 'reload.js'));
  return [
    ...served.map((name) => [`/docs/${name}`, ownFile(name)] as const),
    ['/docs/oauth2-redirect.js', [join(swaggerUi, 'oauth2-redirect.js'), TYPES.js]],
    ['/docs/favicon.png', [join(swaggerUi, 'favicon-32x32.png'), TYPES.png]],
    ['/docs/swagger-ui.css', [join(swaggerUi, 'swagger-ui.css'), TYPES.css]],
    ['/docs/swagger-ui-bundle.js', [join(swaggerUi, 'swagger-ui-bundle.js'), TYPES.js]],
  ];
}

export const changelogPath = (base: string): string => `/docs/changelog${base}.json`;

export const guidePath = (base: string, file: string): string => `/docs/guides${base}/${encodeURIComponent(basename(file))}`;
