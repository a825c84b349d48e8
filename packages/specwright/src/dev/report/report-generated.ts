/** Generated files that were edited by hand: reported with the line, and not overwritten. */
import { plural } from '@specwright/server/command';
import { findEdited, formatEdited, generatedFolders } from '../../generate/digests.ts';
import type { Project } from '../../project-config.ts';
import type { DatabaseCheck } from '../checks/database-check.ts';
import { locationOfFirst, type Screen } from './screen.ts';

export interface GeneratedParts {
  readonly project: Project;
  readonly screen: Screen;
  readonly database: DatabaseCheck;
}

/** @param files path from the root -> content. @returns those that may be written. */
export function withoutEdited(project: Project, files: Iterable<readonly [string, string]>): Map<string, string> {
  const edited = new Set(
    generatedFolders(project)
      .flatMap(findEdited)
      .map(({ path }) => path),
  );
  return new Map([...files].filter(([path]) => !edited.has(path.replaceAll('\\', '/'))));
}

/** @param generated from the specs: path from the root -> content. */
export async function reportGenerated(
  { project, screen, database }: GeneratedParts,
  generated: ReadonlyMap<string, string>,
): Promise<void> {
  const edited = generatedFolders(project).flatMap(findEdited);
  const [first] = edited;
  if (first === undefined) return;
  const isOfSchema = edited.some(({ path }) => !generated.has(path));
  const all = new Map([...generated, ...(isOfSchema ? ((await database.state()).files ?? []) : [])]);
  const problems = edited.map((file) => formatEdited(file, all.get(file.path)));
  screen.section(
    'generated',
    `${plural(edited.length, 'file')} edited by hand`,
    problems,
    `${locationOfFirst(problems) ?? first.path}: ${first.fix}`,
  );
}
