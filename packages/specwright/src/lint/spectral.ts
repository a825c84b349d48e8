/** The problems that Spectral reports, with the rules of the project's spectral.ts: its own and those of OWASP. */
import { resolve } from 'node:path';
import { pointerKeys, pointerTo, valueAt, type SourceDocument } from '@specwright/contract/document';
import { oas, owasp, Resolver, spectralCore, type Ruleset, type RulesetDefinition } from '../libraries/spectral.ts';
import { configFile, displayPath, importFromProject, type ProjectConfig } from '../project-config.ts';
import type { LintProblem } from './lint-problem.ts';
import type { Keys } from './rules/rule.ts';

export const spectral = async (project: ProjectConfig, source: SourceDocument): Promise<LintProblem[]> =>
  runSpectral(source, await loadRuleset(project));

/** All rules of Spectral and OWASP, with what the project changes. Globs of its overrides are relative to its configuration folder. */
async function loadRuleset(project: ProjectConfig): Promise<Ruleset> {
  const file = configFile(project, 'spectral.ts');
  const { default: changes } = (await importFromProject(project, file)) as { default?: Partial<RulesetDefinition> };
  if (changes === undefined)
    throw new Error(`${displayPath(file, project.root)} has no default export: export an object with \`rules\` and \`overrides\``);
  const definition = {
    extends: [
      [oas, 'all'],
      // The types of this CommonJS package claim a default export; the import is the ruleset itself.
      [owasp as unknown as RulesetDefinition, 'all'],
    ],
    ...changes,
  } as RulesetDefinition;
  return new spectralCore.Ruleset(definition, { source: file });
}

export async function runSpectral({ file, published, locate }: SourceDocument, rules: Ruleset): Promise<LintProblem[]> {
  const linter = new spectralCore.Spectral({ resolver: new OneLevelResolver() });
  for (const rule of Object.values(rules.rules)) rule.given = rule.given.map(guardMatch);
  linter.setRuleset(rules);
  // The document as the server reads it, so that what is linted is what is served; problems are located by `locate`.
  const parsed = {
    parsed: { data: published, diagnostics: [], ast: {}, lineMap: [] },
    getLocationForJsonPath: () => undefined,
    source: resolve(file),
  };
  const results = await linter.run(parsed);
  return results.flatMap(({ path, message, code }) => {
    const rule = String(code);
    const known = rules.rules[rule];
    // What is no rule cannot be switched off: a reference that cannot be read, which `checkDocument` reports unless it is in an extension.
    if (known === undefined) return [];
    const { description, documentationUrl } = known;
    const source = rule.startsWith('owasp:') ? 'the OWASP API Security rules' : 'Spectral';
    return {
      ...locate(path),
      message,
      reason: description ?? `Rule ${rule} of ${source}.`,
      fix: `Follow the rule: ${documentationUrl ?? `${rule} of ${source}`}`,
      tool: 'spectral',
      rule,
    };
  });
}

const SCHEMAS = '#/components/schemas/';

type Resolved = Awaited<ReturnType<Resolver['resolve']>>;

/**
 * Does not resolve references within schemas: their targets are linted where they are defined, and to resolve each would
 * multiply the size of a large document. Which schema refers to which is still known to the rules. The resolver of Stoplight calls
 * `hasOwnProperty` of what it visits, which is a property where a schema declares one of that name.
 */
class OneLevelResolver extends Resolver {
  override resolve(source: unknown, { baseUri = '' }: { readonly baseUri?: string } = {}): Promise<Resolved> {
    const refMap: Record<string, string> = {};
    const targets = new Map<string, unknown>();
    const open = new Set<string>();

    const copy = (value: unknown, path: Keys): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      const reference = (value as { $ref?: unknown }).$ref;
      if (typeof reference === 'string') {
        refMap[pointerTo(...path)] = reference;
        return resolved(value, reference, path.at(-1));
      }
      if (Array.isArray(value)) return value.map((item, i) => copy(item, [...path, i]));
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part, [...path, key])]));
    };
    const resolved = (value: object, reference: string, key: Keys[number] | undefined): unknown => {
      const isResolved = reference.startsWith('#') && (!reference.startsWith(SCHEMAS) || key === 'schema') && !open.has(reference);
      if (!isResolved) return value;
      if (targets.has(reference)) return targets.get(reference);
      const keys = pointerKeys(reference);
      const target = valueAt(source as Parameters<typeof valueAt>[0], keys);
      if (target === undefined) return value;
      open.add(reference);
      targets.set(reference, copy(target, keys));
      open.delete(reference);
      return targets.get(reference);
    };
    const result = copy(source, []);
    const graph = {
      overallOrder: () => Object.values(refMap).map((reference) => `${baseUri}${reference}`),
      getNodeData: () => ({ refMap }),
    };
    return Promise.resolve({ result, graph, refMap, errors: [] } as unknown as Resolved);
  }
}

/** Some rules call `match` on what need not be a string, which ends the run when a property has the name that they look for. */
const guardMatch = (given: string): string => given.replace(/(@(?:\.\w+)*)\.match\(/g, '$1.match && $1.match(');
