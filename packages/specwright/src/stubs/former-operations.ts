/** What operations were called before: their methods and paths, by the names that the spec may no longer have. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectConfig } from '../project-config.ts';
import { findConstant } from './scenario-rows.ts';
import type { SpecOperation } from './spec-operations.ts';
import { parse } from './typescript-source.ts';

export type Target = Pick<SpecOperation, 'method' | 'path'>;

/** Names, with what each has stood for. */
export type FormerOperations = Map<string, Target[]>;

const tableFile = ({ generated }: ProjectConfig) => `${generated}/operations.ts`;

/** Adds the names of the committed operation table, if there is one. */
export function addCommitted(former: FormerOperations, project: ProjectConfig): void {
  const show = ['show', `HEAD:./${tableFile(project)}`];
  add(former, project, () => execFileSync('git', show, { cwd: project.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

/** Adds the names of the generated operation table: to be called before it is written again. */
export function addGenerated(former: FormerOperations, project: ProjectConfig): void {
  add(former, project, () => readFileSync(join(project.root, tableFile(project)), 'utf8'));
}

function add(former: FormerOperations, project: ProjectConfig, read: () => string): void {
  try {
    const table = findConstant(parse(tableFile(project), read()), 'operations');
    const rows = JSON.parse(table?.getText() ?? '{}') as Record<string, Target>;
    for (const [id, row] of Object.entries(rows)) addTarget(former, id, row);
  } catch {
    // No repository, no commit, or nothing generated: the former name is unknown.
  }
}

export function addTarget(former: FormerOperations, id: string, { method, path }: Target): void {
  const targets = former.get(id) ?? [];
  if (!targets.some((target) => isSame(target, { method, path }))) former.set(id, [...targets, { method, path }]);
}

export const isSame = (a: Target, b: Target): boolean => a.method === b.method && a.path === b.path;
