/** `npm run lint:spec`: everything that Redocly, Spectral with the OWASP rules, and our own rules say against the spec. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkDocument, ContractError, parseSource, type Problem, type SourceDocument } from '@specwright/server';
import { SPEC_FILE } from './spec-file.ts';
import { once, type Finding } from './lint/finding.ts';
import { aboutRedocly, placeOf } from './lint/places.ts';
import { checkProjectRules, readRuleSettings } from './lint/project.ts';
import { runScript } from './run.ts';
import { count } from './words.ts';

export type { Finding } from './lint/finding.ts';

const USAGE = 'usage: npm run lint:spec [-- --spec FILE] [-- --json]';
const SETTINGS = resolve('.config/contract-rules.yaml');

export interface LintOptions {
  /** Every tool's own finding, also where another has found the same: for who counts the rules that a document breaks. */
  readonly all?: boolean;
}

/**
 * Lints a spec. Warnings and hints are findings like errors: what may stay is written into the configuration.
 *
 * @returns the findings by line; each thing that more than one tool found, once.
 */
export async function lintSpec(file: string, text: string, { all = false }: LintOptions = {}): Promise<Finding[]> {
  let findings: Finding[];
  try {
    const source = parseSource(file, text);
    const problems = (await checkDocument(source)).map((problem) => ours(problem, source.locate));
    // The other rules read the document as OpenAPI: one that is not has to become that first.
    findings = problems.some(isStructural)
      ? [...problems, ...(await redocly(source))]
      : [...problems, ...project(source), ...(await redocly(source)), ...(await spectral(source))];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    findings = error.problems.map((problem) => ours(problem, () => ({ line: problem.line ?? 1, column: problem.column ?? 1 })));
  }
  return (all ? findings : once(findings)).sort((a, b) => a.line - b.line || a.column - b.column || a.rule.localeCompare(b.rule));
}

type Locate = SourceDocument['locate'];

// Loaded only when they run: a document that is no YAML does not wait for them.
const redocly = async (source: SourceDocument) => (await import('./lint/redocly.ts')).redocly(source);
const spectral = async (source: SourceDocument) => (await import('./lint/spectral.ts')).spectral(source);

const isStructural = ({ rule, message }: Finding) =>
  ['struct', 'no-unresolved-refs'].includes(rule) || message.startsWith('openapi must be');

/** A problem of `checkDocument`; where it comes from one of Redocly's rules, under that rule's name. */
function ours(problem: Problem, locate: Locate): Finding {
  const [, message, rule] = /^(.*) \(([\w-]+)\)$/s.exec(problem.message) ?? [];
  return {
    ...locate(placeOf(problem.pointer ?? '', rule)),
    message: message ?? problem.message,
    why: 'The document cannot be served as it is: generate refuses it, and so does the server.',
    mend: rule === undefined ? 'Do what the message says; this rule cannot be switched off.' : aboutRedocly(rule),
    tool: 'contract',
    rule: rule ?? 'contract',
  };
}

function project(source: SourceDocument): Finding[] {
  const found = checkProjectRules(source, readRuleSettings(SETTINGS));
  return found.map(({ rule: { name, why, mend }, complaint: { path, message } }) => ({
    ...source.locate(path),
    message,
    why,
    mend,
    tool: 'project',
    rule: name,
  }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { spec: { type: 'string' }, json: { type: 'boolean' } } });
  const file = relative(process.cwd(), resolve(values.spec ?? SPEC_FILE));
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
    for (const finding of findings) console.log(`${formatFinding(file, finding)}\n`);
  }
  if (findings.length > 0) {
    throw new Error(
      `${count(findings.length, 'finding')}: change the spec, or switch the rule off with its reason in .config/redocly.yaml, .config/spectral.ts or .config/contract-rules.yaml`,
    );
  }
  if (!values.json) console.log(`${file}: nothing to find problem with`);
}

/** A finding for people: where and what, then why it matters and how to mend it. */
export function formatFinding(file: string, { line, column, message, why, mend, rule }: Finding): string {
  return `${file}:${line}:${column}  ${message} (${rule})\n    why:  ${why}\n    mend: ${mend}`;
}

await runScript(import.meta.url, USAGE, main);
