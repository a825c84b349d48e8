/** The findings of Spectral, with the rules of .config/spectral.ts: its own and those of OWASP. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import spectralCore, { type Ruleset, type RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import { Resolver } from '@stoplight/spectral-ref-resolver';
import { oas } from '@stoplight/spectral-rulesets';
import type { SourceDocument } from '@specwright/server';
import type { Finding } from './finding.ts';

/** The project's own rules. */
const CONFIG = resolve('.config/spectral.ts');

/** @param given the rules, unless they are those of .config/spectral.ts. */
export async function spectral({ file, document, locate }: SourceDocument, given?: Ruleset): Promise<Finding[]> {
  const rules = given ?? (await configuredRules());
  const linter = new spectralCore.Spectral({ resolver: new OneLevelResolver() });
  for (const rule of Object.values(rules.rules)) rule.given = rule.given.map(guarded);
  linter.setRuleset(rules);
  // As read by our own reader, so that what is linted is what is served; places are ours too.
  const parsed = {
    parsed: { data: document, diagnostics: [], ast: {}, lineMap: [] },
    getLocationForJsonPath: () => undefined,
    source: resolve(file),
  };
  const results = await linter.run(parsed);
  return results.map(({ path, message, code }) => {
    const rule = String(code);
    const { description, documentationUrl } = rules.rules[rule] ?? {};
    const source = rule.startsWith('owasp:') ? 'the OWASP API Security rules' : 'Spectral';
    return {
      ...locate(path),
      message,
      why: description ?? `Rule ${rule} of ${source}.`,
      mend: `What it asks for: ${documentationUrl ?? `rule ${rule} of ${source}`}`,
      tool: 'spectral',
      rule,
    };
  });
}

/** All rules of Spectral and OWASP, with what the project says of them. Globs of its overrides are relative to its folder `.config`. */
async function configuredRules(): Promise<Ruleset> {
  const { default: project } = (await import(pathToFileURL(CONFIG).href)) as { default: Partial<RulesetDefinition> };
  const definition = {
    extends: [
      [oas, 'all'],
      // The package is CommonJS that calls itself a module to the compiler: what is imported is the ruleset itself.
      [owasp as unknown as RulesetDefinition, 'all'],
    ],
    ...project,
  } as RulesetDefinition;
  return new spectralCore.Ruleset(definition, { source: CONFIG });
}

const SCHEMAS = '#/components/schemas/';

/**
 * What the rules see: a reference within a schema is not followed. It leads to a schema that the rules look at where it
 * stands, and to follow each would unfold a large document into many times its size. What refers to what they still know.
 */
class OneLevelResolver extends Resolver {
  readonly #shallow = new Resolver({ getRef });

  override async resolve(...[source, options]: Parameters<Resolver['resolve']>): ReturnType<Resolver['resolve']> {
    const whole = await super.resolve(source, options);
    const shallow = await this.#shallow.resolve(source, options);
    return { ...whole, result: shallow.result as unknown };
  }
}

function getRef(key: string | undefined, value: unknown): string | undefined {
  const reference = (value as { $ref?: unknown } | null | undefined)?.$ref;
  if (typeof reference !== 'string') return undefined;
  return reference.startsWith(SCHEMAS) && key !== 'schema' ? undefined : reference;
}

/** A rule that matches a text without asking whether it is one ends the run where a property is called like what it looks for. */
const guarded = (given: string): string => given.replace(/(@(?:\.\w+)*)\.match\(/g, '$1.match && $1.match(');
