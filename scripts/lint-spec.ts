/** `npm run lint:spec`: everything that Redocly, Spectral with the OWASP rules, and our own checks say against the spec. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { ruleset } from '../.config/spectral.ts';
import { checkDocument, ContractError, lintRules, parseSource, type Fault, type SourceDocument } from '../src/contract/load.ts';
import { runScript } from './run.ts';

const USAGE = 'usage: npm run lint:spec [-- --spec FILE] [-- --json]';
const CONFIG = fileURLToPath(new URL('../.config', import.meta.url));

/** Something to change in the spec. `line` and `column` count from 1. */
export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The name of the rule in its tool, or `contract` for our own. */
  readonly rule: string;
}

type Keys = readonly (string | number)[];

/**
 * Lints a spec. Warnings and hints are findings like errors: what may stay is written into the configuration.
 *
 * @returns the findings by line; each thing that more than one tool found, once.
 */
export async function lintSpec(file: string, text: string): Promise<Finding[]> {
  let findings: Finding[];
  try {
    const source = parseSource(file, text);
    const place: Locator = (keys) => source.locate(keys);
    const faults = await checkDocument(source);
    findings = [
      ...[...faults, ...(faults.length > 0 ? [] : lintRules(source))].map((fault) => ours(fault, place)),
      ...(await redocly(file, text, place)),
      ...(await spectral(file, source.document, place)),
    ];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    findings = error.faults.map((fault) => ours(fault, () => ({ line: fault.line ?? 1, column: fault.column ?? 1 })));
  }
  return once(findings).sort((a, b) => a.line - b.line || a.column - b.column || a.rule.localeCompare(b.rule));
}

type Locator = SourceDocument['locate'];

/** A fault of `checkDocument`; where it comes from one of Redocly's rules, under that rule's name. */
function ours(fault: Fault, place: Locator): Finding {
  const [, message, rule] = /^(.*) \(([\w-]+)\)$/s.exec(fault.message) ?? [];
  const at = place(placeOf(fault.pointer ?? '', rule));
  return { ...at, message: message ?? fault.message, rule: rule ?? 'contract' };
}

async function redocly(file: string, source: string, place: Locator): Promise<Finding[]> {
  const config = await loadConfig({ configPath: `${CONFIG}/redocly.yaml` });
  const problems = await lintFromString({ source, absoluteRef: resolve(file), config });
  return problems.map(({ message, ruleId, location, suggest }) => {
    const hint = suggest.length > 0 ? ` Did you mean ${suggest.slice(0, 3).join(', ')}?` : '';
    return { ...place(placeOf(location[0]?.pointer ?? '', ruleId)), message: `${message}${hint}`, rule: ruleId };
  });
}

async function spectral(file: string, data: object, place: Locator): Promise<Finding[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset(ruleset(CONFIG));
  // As read by our own reader, so that what is linted is what is served; places are ours too.
  const parsed = {
    parsed: { data, diagnostics: [], ast: {}, lineMap: [] },
    getLocationForJsonPath: () => undefined,
    source: resolve(file),
  };
  const results = await linter.run(parsed);
  return results.map(({ path, message, code }) => ({ ...place(path), message, rule: String(code) }));
}

/** Rules of Spectral that find what a rule of Redocly, or one of ours, finds too. Its finding stays, being the more exact. */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  'array-items': ['struct'],
  'duplicated-entry-in-enum': ['no-duplicated-enum-values', 'struct'],
  'no-$ref-siblings': ['spec-ref-siblings'],
  'oas3-examples-value-or-externalValue': ['no-example-value-and-externalValue'],
  'oas3-operation-security-defined': ['security-defined'],
  'oas3-parameter-description': ['parameter-description'],
  'oas3-schema': ['struct', 'no-unresolved-refs', 'spec-components-invalid-map-name'],
  'oas3-unused-component': ['no-unused-components'],
  'oas3-valid-media-example': ['no-invalid-media-type-examples', 'no-invalid-parameter-examples'],
  'oas3-valid-schema-example': ['no-invalid-schema-examples'],
  'invalid-ref': ['no-unresolved-refs'],
  'operation-operationId-valid-in-url': ['operation-operationId-url-safe'],
  'operation-success-response': ['operation-2xx-response'],
  'path-declarations-must-exist': ['path-declaration-must-exist'],
  'path-keys-no-trailing-slash': ['no-path-trailing-slash'],
  'path-params': ['path-parameters-defined', 'path-params-defined'],
  'typed-enum': ['no-enum-type-mismatch'],
};

/** The findings without those that another tool has about the same line. */
function once(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  const isNew = (finding: Finding) => {
    const at = `${finding.line}:`;
    const same = [finding.rule, ...(TWINS[finding.rule] ?? [])].some((rule) => seen.has(at + rule));
    seen.add(at + finding.rule);
    return !same;
  };
  return findings.filter(isNew);
}

/** The keys of a JSON pointer (RFC 6901), with or without `#` before it. Redocly points beside a broken reference, not at it. */
function placeOf(pointer: string, rule: string | undefined): Keys {
  const keys = pointer.replace(/^#/, '').split('/').slice(1);
  const unescaped = keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  return rule === 'no-unresolved-refs' ? [...unescaped, '$ref'] : unescaped;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { spec: { type: 'string' }, json: { type: 'boolean' } } });
  const file = relative(process.cwd(), resolve(values.spec ?? 'spec/petstore.yaml'));
  const findings = await lintSpec(file, readFileSync(file, 'utf8'));
  if (values.json) {
    console.log(
      JSON.stringify(
        findings.map((finding) => ({ file, ...finding })),
        null,
        2,
      ),
    );
  } else {
    for (const { line, column, message, rule } of findings) console.log(`${file}:${line}:${column}  ${message} (${rule})`);
  }
  if (findings.length > 0) {
    const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
    throw new Error(`${count}: change the spec, or switch the rule off with its reason in .config/redocly.yaml or .config/spectral.ts`);
  }
  if (!values.json) console.log(`${file}: nothing to find fault with`);
}

await runScript(import.meta.url, USAGE, main);
