/** The examples: `examples/` of a checkout, which is copied beside what is built before the package is packed. */
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const IN_PACKAGE = join(OWN_FOLDER, 'dist/examples');
const IN_CHECKOUT = join(OWN_FOLDER, '../../examples');

export const examplesFolder = (): string => (existsSync(join(OWN_FOLDER, 'tsconfig.build.json')) ? IN_CHECKOUT : IN_PACKAGE);

export const listExamples = (): string[] => readdirSync(examplesFolder()).sort();

/** Made by working in an example. */
const MADE = ['node_modules', 'generated', '.data', 'package-lock.json'];

export function copyExample(name: string, target: string): void {
  cpSync(join(examplesFolder(), name), target, { recursive: true, filter: (path) => !MADE.includes(basename(path)) });
}

/** In a checkout, for `npm pack`. */
export function copyExamples(): void {
  rmSync(IN_PACKAGE, { recursive: true, force: true });
  for (const name of listExamples()) copyExample(name, join(IN_PACKAGE, name));
}
