/** Refuses to build a server whose generated files were edited by hand: its types would not be those of the contract. */
import { join } from 'node:path';
import { findEdited, formatEdited } from '../generate/digests.ts';
import type { ProjectConfig } from '../project-config.ts';

/** @throws Error with each edited file and the line where it first differs. */
export async function assertUnedited(project: Pick<ProjectConfig, 'root' | 'spec' | 'generated'>): Promise<void> {
  const edited = findEdited(project);
  if (edited.length === 0) return;
  const generated = await regenerate(project).catch(() => new Map<string, string>());
  const problems = edited.map((file) => `  ${formatEdited(file, generated.get(file.path))}\n`);
  throw new Error(`generated files do not match the spec:\n${problems.join('')}Restore them and start again.`);
}

/** @returns path from the root -> content, for those files that are made from the spec alone. */
async function regenerate({ root, spec, generated }: Pick<ProjectConfig, 'root' | 'spec' | 'generated'>): Promise<Map<string, string>> {
  // Loaded only for the message: it takes longer than a build.
  const { readDocument } = await import('@specwright/server/document');
  const { generateUnchecked, hasClient } = await import('../generate/generate.ts');
  const files = await generateUnchecked(readDocument(join(root, spec)), { client: hasClient(join(root, generated)) });
  return new Map([...files].map(([name, text]) => [join(generated, name).replaceAll('\\', '/'), text]));
}
