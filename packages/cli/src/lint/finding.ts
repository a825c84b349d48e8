/** What a lint of the spec finds, and which findings of several tools are one and the same. */

/** Something to change in the spec. `line` and `column` count from 1. */
export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Why it matters, in one line. */
  readonly why: string;
  /** How to mend it, in one line. */
  readonly mend: string;
  /** Who found it: `contract` is what the server itself refuses, and cannot be switched off. */
  readonly tool: 'contract' | 'project' | 'redocly' | 'spectral';
  /** The name of the rule in its tool; `contract` where there is none. */
  readonly rule: string;
}

/** Rules that find what another rule finds too. Its finding stays, being the more exact. */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  'array-items': ['struct'],
  'duplicated-entry-in-enum': ['no-duplicated-enum-values', 'struct'],
  'invalid-ref': ['no-unresolved-refs'],
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

/** The findings without those that another tool has about the same line. */
export function once(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ line, rule }) => {
    const isNew = ![rule, ...(TWINS[rule] ?? [])].some((name) => seen.has(`${line}:${name}`));
    seen.add(`${line}:${rule}`);
    return isNew;
  });
}
