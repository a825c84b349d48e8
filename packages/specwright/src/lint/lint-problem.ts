/** What a lint of the spec reports, and which problems of several tools are the same. */
import { displayFile } from '@specwright/contract/document';
import { fitLines } from '@specwright/server';

/** Something to change in the spec. `line` and `column` count from 1. */
export interface LintProblem {
  /** The file, if it is not that of the spec but one that the spec refers to. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly reason: string;
  readonly fix: string;
  /** Whose rule it is. `contract`: the server refuses the document, and the rule cannot be switched off. */
  readonly tool: 'contract' | 'project' | 'redocly' | 'spectral';
  /** The name of the rule in its tool; `contract` where there is none. */
  readonly rule: string;
}

/** Rules that report what the rules listed with them report too. The problem that comes first is kept. */
const DUPLICATES: Readonly<Record<string, readonly string[]>> = {
  'array-items': ['struct'],
  'duplicated-entry-in-enum': ['no-duplicated-enum-values', 'struct'],
  'no-$ref-siblings': ['spec-ref-siblings'],
  'oas3-examples-value-or-externalValue': ['no-example-value-and-externalValue'],
  'oas3-operation-security-defined': ['security-defined'],
  'oas3-parameter-description': ['parameter-description'],
  'oas3-schema': ['struct', 'no-unresolved-refs', 'spec-components-invalid-map-name'],
  'oas3-unused-component': ['no-unused-components'],
  'operation-operationId-unique': ['operation-operationId-unique'],
  'operation-operationId-valid-in-url': ['operation-operationId-url-safe'],
  'operation-success-response': ['operation-2xx-response'],
  'path-declarations-must-exist': ['path-declaration-must-exist'],
  'path-keys-no-trailing-slash': ['no-path-trailing-slash'],
  'path-params': ['path-parameters-defined', 'path-params-defined'],
  'typed-enum': ['no-enum-type-mismatch', 'valid-enum'],
  'no-enum-type-mismatch': ['valid-enum'],
};

/** The problems without those that another tool has reported at the same line. */
export function withoutDuplicates(problems: readonly LintProblem[]): LintProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ file = '', line, rule }) => {
    const isNew = ![rule, ...(DUPLICATES[rule] ?? [])].some((name) => seen.has(`${file}:${line}:${name}`));
    seen.add(`${file}:${line}:${rule}`);
    return isNew;
  });
}

/** A problem for people: location and message, then why it matters and how to fix it. */
export function formatLintProblem(spec: string, { file = spec, line, column, message, reason, fix, rule }: LintProblem): string {
  return fitLines(`${displayFile(file)}:${line}:${column}  ${message} (${rule})\n    reason: ${reason}\n    fix:    ${fix}`);
}

/** @returns `file:line:column message (rule)`, and what to do on a second line. */
export const formatLintLine = (spec: string, { file = spec, line, column, message, rule, fix }: LintProblem): string =>
  `${file}:${line}:${column} ${message} (${rule})\n${fix}`;
