/** Refuses to build a server whose generated files were edited by hand: its types would not be those of the contract. */
import { join } from 'node:path';
import { findEdited, formatEdited, generatedFolders } from '../generate/digests.ts';
import type { Project, ProjectConfig } from '../project-config.ts';

/** What a build has to know of a project. */
export interface BuiltProject extends Pick<Project, 'root' | 'main' | 'programs' | 'databaseFolder'> {
  readonly contracts: readonly Pick<ProjectConfig, 'spec' | 'generated'>[];
}

/** @throws Error with each edited file and the line where it first differs. */
export async function assertUnedited(project: BuiltProject): Promise<void> {
  const edited = generatedFolders(project).flatMap(findEdited);
  if (edited.length === 0) return;
  const generated = new Map<string, string>();
  for (const contract of project.contracts)
    for (const [path, text] of await regenerate(project.root, contract).catch(() => [])) generated.set(path, text);
  const problems = edited.map((file) => `  ${formatEdited(file, generated.get(file.path))}\n`);
  throw new Error(`generated files do not match the spec:\n${problems.join('')}Restore them and start again.`);
}

/** @returns path from the root, and content, of those files that are made from the spec alone. */
async function regenerate(root: string, { spec, generated }: BuiltProject['contracts'][number]): Promise<[string, string][]> {
  // Loaded only for the message: it takes longer than a build.
  const { readDocument } = await import('@specwright/contract/document');
  const { generateUnchecked, hasClient } = await import('../generate/generate.ts');
  const files = await generateUnchecked(readDocument(join(root, spec)), { client: hasClient(join(root, generated)) });
  return [...files].map(([name, text]) => [join(generated, name).replaceAll('\\', '/'), text]);
}
