/** Hooks of Node's loader (https://nodejs.org/api/module.html#customization-hooks): TypeScript by esbuild, and `@jest/globals`. */
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const GLOBALS = new URL('globals.mjs', import.meta.url).href;

export const resolve = (specifier, context, next) =>
  specifier === '@jest/globals' ? { url: GLOBALS, format: 'module', shortCircuit: true } : next(specifier, context);

export function load(url, context, next) {
  const [file] = url.split(/[?#]/, 1);
  return file.startsWith('file:') && file.endsWith('.ts')
    ? { format: 'module', source: compile(fileURLToPath(file)), shortCircuit: true }
    : next(url, context);
}
