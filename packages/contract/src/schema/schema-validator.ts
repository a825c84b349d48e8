/** The validator of a schema: the verdict first, then the problems of what is refused, or the defaults of what is valid. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Defaults, PropertyDefault } from './fill-defaults.ts';
import { COMPLEXITY, TooComplexError, type ValidationRun } from './validation-run.ts';

export interface SchemaValidator {
  /** The verdict. Removes what is `readOnly` from the value of a request, and fills defaults into a valid one. */
  readonly isValid: (value: unknown) => boolean;
  /** The problems of the value that `isValid` has just refused. */
  readonly problems: (value: unknown) => ErrorObject[];
}

export interface ValidatedSchema {
  /** Its compiled code. `errors` has what ended the last verdict: one problem, and those of branches that were tried before it. */
  readonly validate: ValidateFunction;
  /** Whether it takes few steps for each value in a value, whatever the value is: it needs no budget of them. */
  readonly isBounded: boolean;
  /** The problems of a value that is not valid. @throws TooComplexError */
  readonly collect: (value: unknown) => ErrorObject[];
}

/** What is done with the values of requests. */
export interface RequestValues {
  /** Removes what is `readOnly`; `undefined` if nothing is. */
  readonly dropReadOnly: ((value: unknown) => void) | undefined;
  readonly defaults: Defaults | undefined;
}

/** The errors of a value without a verdict: it took too many steps, or too deep a stack. */
const TOO_COMPLEX: ErrorObject[] = [
  { keyword: COMPLEXITY, instancePath: '', schemaPath: '#', params: {}, message: 'is too complex to validate' },
];

export function createValidator(schema: ValidatedSchema, run: ValidationRun, values?: RequestValues): SchemaValidator {
  const { validate, isBounded, collect } = schema;
  const { dropReadOnly, defaults } = values ?? {};
  const { ofProperties, prepare } = defaults ?? {};
  /** Of the last verdict. */
  let isTooComplex = false;

  const verdictInRun = (value: unknown): boolean => {
    let fillDefaults: (() => void) | undefined;
    isTooComplex = false;
    run.begin(value);
    try {
      if (!validate(value)) return false;
      fillDefaults = prepare?.(value);
    } catch (error) {
      // Each level of a value takes as much of the stack as its schema has properties: some schemas overflow it within 1,000 levels.
      if (!(error instanceof TooComplexError || error instanceof RangeError)) throw error;
      isTooComplex = true;
      return false;
    } finally {
      run.end();
    }
    fillDefaults?.();
    return true;
  };
  const verdict = isBounded && prepare === undefined ? (validate as (value: unknown) => boolean) : verdictInRun;

  const collectProblems = (value: unknown): ErrorObject[] => {
    if (isTooComplex) return TOO_COMPLEX;
    const first = validate.errors ?? [];
    // The problems are those of the value without it.
    if (dropReadOnly !== undefined && mayHaveReadOnly(first)) return first;
    run.begin(value);
    try {
      const found = collect(value);
      return found.length > 0 ? found : first;
    } catch (error) {
      if (error instanceof TooComplexError) return TOO_COMPLEX;
      // Interpreting a value takes more of the stack than compiled code does.
      if (error instanceof RangeError) return first;
      throw error;
    } finally {
      run.end();
    }
  };

  /** Of the last verdict, if they have been collected. */
  let collected: ErrorObject[] | undefined;
  const requestVerdict = (value: unknown): boolean => {
    let isValid = verdict(value);
    collected = isValid || dropReadOnly === undefined ? undefined : collectProblems(value);
    if (collected !== undefined && mayHaveReadOnly(collected)) {
      dropReadOnly?.(value);
      isValid = verdict(value);
      collected = undefined;
    }
    if (isValid && ofProperties !== undefined) fillProperties(ofProperties, value);
    return isValid;
  };
  const problems = (value: unknown): ErrorObject[] => collected ?? collectProblems(value);
  return { isValid: dropReadOnly === undefined && ofProperties === undefined ? verdict : requestVerdict, problems };
}

function fillProperties(defaults: readonly PropertyDefault[], value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const holder = value as Record<string, unknown>;
  for (const { name, value: filled, copy } of defaults)
    if (!Object.hasOwn(holder, name) || holder[name] === undefined) holder[name] = copy === undefined ? filled : copy();
}

/**
 * Whether a value may have been refused because such a property was sent; other parts may be wrong too. An object with too many properties
 * is not looked into.
 */
const mayHaveReadOnly = (errors: readonly ErrorObject[]): boolean =>
  errors.some(({ keyword }) => keyword === 'readOnly' || keyword === 'maxProperties');
