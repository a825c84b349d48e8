/** What a command says where a package for databases is not installed: projects without a database do not have it. */
import { readFileSync } from 'node:fs';

/** Node's message; `code` tells that it is one. */
const NOT_FOUND = /^Cannot find package '(@specwright\/[a-z-]+)'/;

/** @returns `@specwright/postgres`, for the error of an import that did not find it. */
export function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return NOT_FOUND.exec(error.message)?.[1];
}

/** The command that installs a package of ours in the version of this tool. */
export const installCommand = (name: string): string => `npm install ${name}@${ownVersion()}`;

export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return version;
}
