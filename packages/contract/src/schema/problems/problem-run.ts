/** The state of a run that collects the problems of a value which was refused. */
import type { ErrorObject } from 'ajv';
import { escapePointer } from '../../document/openapi.ts';
import { MAX_VALIDATION_ERRORS } from '../../document/problems.ts';
import type { ValidationRun } from '../validation-run.ts';

/** Where a value is in the one that is validated; `undefined` for that itself. */
export interface At {
  readonly parent: At | undefined;
  readonly key: string | number;
}

/** Whether a value is valid. Problems are reported to the run, if it collects them. */
export type Check = (value: unknown, at: At | undefined, run: ProblemRun) => boolean;

/** Of a keyword in a schema. */
export interface KeywordPath {
  readonly keyword: string;
  readonly schemaPath: string;
}

/** Thrown when as many problems were found as are reported. */
export class EnoughProblemsError extends Error {}

export class ProblemRun {
  readonly errors: ErrorObject[] = [];
  /** The name that is validated, where it is that of a property. */
  propertyName: string | undefined;
  /** Whether only a verdict is wanted. */
  #isQuiet = false;
  readonly #verdicts = new Map<string, Map<unknown, boolean>>();
  readonly steps: ValidationRun;

  constructor(steps: ValidationRun) {
    this.steps = steps;
  }

  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  /** @param schema what the keyword says, where the message depends on it. @returns false, the verdict on a value that has a problem. @throws EnoughProblemsError */
  report(
    { keyword, schemaPath }: KeywordPath,
    at: At | undefined,
    message: string,
    params: Record<string, unknown> = {},
    schema?: unknown,
  ): false {
    if (this.#isQuiet) return false;
    const propertyName = this.propertyName === undefined ? {} : { propertyName: this.propertyName };
    this.errors.push({ keyword, instancePath: pathOf(at), schemaPath, params, message, schema, ...propertyName });
    if (this.errors.length >= MAX_VALIDATION_ERRORS) throw new EnoughProblemsError();
    return false;
  }

  /** The verdict of a check, whose problems are not collected. */
  passes(check: Check, value: unknown, at: At | undefined): boolean {
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = true;
    const isValid = check(value, at, this);
    this.#isQuiet = wasQuiet;
    return isValid;
  }

  /** The verdict on a value that was found before, by the name of the schema. */
  verdictOf(name: string, value: unknown): boolean | undefined {
    return this.#verdicts.get(name)?.get(value);
  }

  setVerdict(name: string, value: unknown, isValid: boolean): void {
    const verdicts = this.#verdicts.get(name);
    if (verdicts === undefined) this.#verdicts.set(name, new Map([[value, isValid]]));
    else verdicts.set(value, isValid);
  }
}

function pathOf(at: At | undefined): string {
  const keys: string[] = [];
  for (let part = at; part !== undefined; part = part.parent) keys.push(escapePointer(String(part.key)));
  return keys.length === 0 ? '' : `/${keys.reverse().join('/')}`;
}
