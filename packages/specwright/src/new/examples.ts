/** The examples: `examples/` of a checkout, which is copied beside what is built before the package is packed. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder, writeFile } from '../files/write-files.ts';

const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const IN_PACKAGE = join(OWN_FOLDER, 'dist/examples');
const IN_CHECKOUT = join(OWN_FOLDER, '../../examples');

export const examplesFolder = (): string => (existsSync(join(OWN_FOLDER, 'tsconfig.build.json')) ? IN_CHECKOUT : IN_PACKAGE);

export const listExamples = (): string[] => readdirSync(examplesFolder()).sort();

/** Made by working in an example. */
const MADE = ['node_modules', 'generated', '.build', '.data', 'package-lock.json'];

export function copyExample(name: string, target: string): void {
  const folder = join(examplesFolder(), name);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (entry.isFile() && !path.split(sep).some((part) => MADE.includes(part))) writeFile(target, path, readFileSync(join(folder, path)));
  }
}

/** In a checkout, for `npm pack`. */
export function copyExamples(): void {
  removeFolder(IN_PACKAGE, false);
  for (const name of listExamples()) copyExample(name, join(IN_PACKAGE, name));
}
