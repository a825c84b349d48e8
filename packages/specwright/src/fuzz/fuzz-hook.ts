/** What a project adds to `specwright fuzz`, in the module that `specwright.fuzz` of its package.json names. */
import { importFromProject, type Project, type ProjectConfig } from '../project-config.ts';

export interface FuzzServer {
  readonly url: string;
  /** The path at which it serves the contract: `/v1`, or nothing. */
  readonly base: string;
  /** The folder of its embedded database. */
  readonly dataDir: string;
}

/** A user that requests are made as. */
export interface FuzzIdentity {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FuzzHook {
  readonly environment?: Readonly<Record<string, string>>;
  /** The path at which each of several contracts is served, by its name in `specwright.specs`: `{ v2: '/v2' }`. */
  readonly bases?: Readonly<Record<string, string>>;
  /** Prepares the server: users, limits. What one identity creates, the others must not see. */
  prepare(server: FuzzServer): Promise<readonly FuzzIdentity[]>;
  /** Checks the server after the run. @returns the problems. */
  verify?(server: FuzzServer, identities: readonly FuzzIdentity[]): Promise<readonly string[]>;
}

const NO_HOOK: FuzzHook = { prepare: async () => [] };

/** @throws Error if the module exports no `prepare`. */
export async function loadFuzzHook(project: Project): Promise<FuzzHook> {
  if (project.fuzz === undefined) return NO_HOOK;
  const hook = (await importFromProject(project, project.fuzz)) as Partial<FuzzHook>;
  if (hook.prepare === undefined)
    throw new Error(`${project.fuzz} does not export \`prepare\`: a function of { url, dataDir } that returns identities`);
  return hook as FuzzHook;
}

/**
 * The path at which a contract is served: as it is given, or else as the module says, which need not say it of the only contract.
 *
 * @throws Error if the module does not say it of one of several.
 */
export function baseOf({ contractName, fuzz }: Pick<ProjectConfig, 'contractName' | 'fuzz'>, { bases }: FuzzHook, given?: string): string {
  if (given !== undefined) return given;
  if (contractName === undefined) return '';
  const base = bases?.[contractName];
  if (base !== undefined) return base;
  const module = fuzz ?? 'the module at specwright.fuzz in package.json';
  throw new Error(`${module} does not say where ${contractName} is served: export const bases = { '${contractName}': '/${contractName}' }`);
}
