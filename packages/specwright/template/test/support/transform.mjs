/** Jest's transform: TypeScript to ES modules by esbuild, which runs the server too, through tsx. */
import { transformSync } from 'esbuild';

export default {
  process: (source, file) =>
    transformSync(source, { loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline', sourcefile: file }),
};
