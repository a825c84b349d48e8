/** What `specwright build` records of a build, so that `specwright run` starts it only while it is what the sources say. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a project that has what was built. */
export const BUILD_FOLDER = '.build';

/** Identifies the state of a file without reading it. The time of the last change cannot be set by a program: nothing written passes for what it was. */
export function fileState(path) {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'missing' : `${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}`;
}

/** The built module of a program, or `undefined` if it has to be built. */
export function findBuilt(root, program) {
  try {
    const folder = join(root, BUILD_FOLDER);
    const { inputs, outputs, programs } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    if (Object.entries(inputs).some(([path, state]) => fileState(join(root, path)) !== state)) return undefined;
    if (outputs.some((name) => fileState(join(folder, name)) === 'missing')) return undefined;
    const built = Object.hasOwn(programs, program) ? programs[program] : undefined;
    return built && join(folder, built);
  } catch {
    // There is none, or a build of another version has written it.
    return undefined;
  }
}
