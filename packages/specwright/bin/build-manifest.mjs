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
  const manifest = readManifest(root);
  if (manifest === undefined) return undefined;
  const { inputs, outputs } = manifest;
  if (Object.entries(inputs).some(([path, state]) => fileState(join(root, path)) !== state)) return undefined;
  if (outputs.some((name) => fileState(join(root, BUILD_FOLDER, name)) === 'missing')) return undefined;
  return programOf(root, program, manifest);
}

/** The module of a program that has just been built, though a source may have changed meanwhile; `undefined` if it is none of the project's. */
export const findJustBuilt = (root, program) => programOf(root, program, readManifest(root));

function programOf(root, program, manifest) {
  const programs = manifest?.programs ?? {};
  return Object.hasOwn(programs, program) ? join(root, BUILD_FOLDER, programs[program]) : undefined;
}

/** `undefined` if there is none, or a build of another version has written it. */
function readManifest(root) {
  try {
    const { inputs, outputs, programs } = JSON.parse(readFileSync(join(root, BUILD_FOLDER, 'manifest.json'), 'utf8'));
    return Array.isArray(outputs) ? { inputs: { ...inputs }, outputs, programs } : undefined;
  } catch {
    return undefined;
  }
}
