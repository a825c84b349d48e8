/** Checks what the project itself has: its contract, and the code that was generated from it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '@specwright/contract/document';
import type { ProjectConfig } from '../project-config.ts';
import { problem, ok, type CheckResult } from './check.ts';

/** By the digest, as the server does at its start: generating takes seconds. */
export function checkGenerated({ root, spec, generated }: ProjectConfig): CheckResult {
  const table = join(root, generated, 'operations.ts');
  if (!existsSync(table)) return problem(`${generated}/ is missing`, 'npm run generate');
  const made = /specDigest = '([^']+)'/.exec(readFileSync(table, 'utf8'))?.[1];
  const { digest } = readDocument(join(root, spec));
  if (made !== digest) return problem(`${generated}/ was made from another version of ${spec}`, 'npm run generate');
  return ok(`${generated}/ is what ${spec} gives`);
}
