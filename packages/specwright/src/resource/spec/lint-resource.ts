/** Lint rules that a document had nothing for before a resource was added, and that its house style does not follow. */
import type { SourceDocument } from '@specwright/contract/document';
import { composeSwitchedOff } from '../../lint/switch-off-rules.ts';
import { lintSpec } from '../../lint/lint-spec.ts';
import type { ProjectConfig } from '../../project-config.ts';

export interface LintedResource {
  /** The configuration with them off, by its path from the root. */
  readonly changed: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** As `new` does for a whole document: a rule that the resource alone breaks is switched off, and named. */
export async function lintResource(project: ProjectConfig, before: SourceDocument, after: SourceDocument): Promise<LintedResource> {
  const lint = ({ source }: SourceDocument) => lintSpec(project.spec, source, { project, all: true });
  const problems = await lint(after);
  if (problems.length === 0) return { changed: new Map(), notes: [] };
  const known = new Set((await lint(before)).map(({ rule }) => rule));
  const added = problems.filter(({ rule }) => !known.has(rule));
  const rules = [...new Set(added.map(({ rule }) => rule))].join(', ');
  if (added.length === 0) return { changed: new Map(), notes: [] };
  try {
    const composed = composeSwitchedOff([{ project, problems: added }]);
    const changed = new Map([...composed.values()].map(({ name, text }) => [name, text]));
    return { changed, notes: [`switched off in ${[...changed.keys()].join(', ')}, because no other operation was concerned: ${rules}`] };
  } catch {
    // A separate configuration, without a list for them: a person decides.
    return { changed: new Map(), notes: [`npm run lint:spec reports ${rules}`] };
  }
}
