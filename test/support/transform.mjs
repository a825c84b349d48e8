/** Jest's transform: TypeScript to ES modules by esbuild, which runs the server too (through tsx). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { transformSync, version } from 'esbuild';

const ITSELF = readFileSync(new URL(import.meta.url), 'utf8');

export default {
  process: (source, file) => {
    const { code, map } = transformSync(source, { loader: 'ts', format: 'esm', target: 'node20', sourcemap: true, sourcefile: file });
    return { code, map };
  },
  getCacheKey: (source, file) => createHash('sha256').update([ITSELF, version, file, source].join('\0')).digest('hex'),
};
