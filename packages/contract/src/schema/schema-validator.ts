/** The validator of a schema: the verdict first, then the problems of what is refused, or the defaults of what is valid. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { PrepareDefaults } from './fill-defaults.ts';
import { COMPLEXITY, TooComplexError, type ValidationRun } from './validation-run.ts';

export interface ValidatedSchema {
  /** Its compiled code. `errors` has what ended the last verdict: one problem, and those of branches that were tried before it. */
  readonly unit: { readonly validate: ValidateFunction };
  /** Whether it has no parts: to test a value on it takes one step, whatever the value is. */
  readonly isSingle: boolean;
  /** The problems of a value that is not valid. @throws TooComplexError */
  readonly problems: (value: unknown) => ErrorObject[];
}

/** What is done with the values of requests. */
export interface RequestValues {
  /** Removes what is `readOnly`; `undefined` if nothing is. */
  readonly dropReadOnly: ((value: unknown) => void) | undefined;
  readonly prepareDefaults: PrepareDefaults | undefined;
}

/** The errors of a value without a verdict: it took too many steps, or too deep a stack. */
const TOO_COMPLEX: ErrorObject[] = [
  { keyword: COMPLEXITY, instancePath: '', schemaPath: '#', params: {}, message: 'is too complex to validate' },
];

export function createValidator(schema: ValidatedSchema, run: ValidationRun, values?: RequestValues): ValidateFunction {
  const { unit, isSingle, problems } = schema;
  const { dropReadOnly, prepareDefaults } = values ?? {};

  const problemsOf = (value: unknown): ErrorObject[] => {
    const first = unit.validate.errors ?? [];
    // The problems are those of the value without it.
    if (dropReadOnly !== undefined && mayHaveReadOnly(first)) return first;
    run.begin(value);
    try {
      const found = problems(value);
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

  /** `null` for a valid value. */
  const errorsOf = (value: unknown): ErrorObject[] | null => {
    let fillDefaults: (() => void) | undefined;
    let valid: boolean;
    run.begin(value);
    try {
      valid = unit.validate(value);
      if (valid && prepareDefaults !== undefined) fillDefaults = prepareDefaults(value);
    } catch (error) {
      // Each level of a value takes as much of the stack as its schema has properties: some schemas overflow it within 1,000 levels.
      if (error instanceof TooComplexError || error instanceof RangeError) return TOO_COMPLEX;
      throw error;
    } finally {
      run.end();
    }
    if (!valid) return problemsOf(value);
    fillDefaults?.();
    return null;
  };

  /** Most parameters and header fields have no parts, which take steps, and nothing that is filled in. */
  const validateWhole = (value: unknown): boolean => {
    const isValid = unit.validate(value);
    validator.errors = isValid ? null : problemsOf(value);
    return isValid;
  };
  const validateInRun = (value: unknown): boolean => {
    let errors = errorsOf(value);
    if (errors !== null && dropReadOnly !== undefined && mayHaveReadOnly(errors)) {
      dropReadOnly(value);
      errors = errorsOf(value);
    }
    validator.errors = errors;
    return errors === null;
  };
  const isWhole = isSingle && dropReadOnly === undefined && prepareDefaults === undefined;
  const validator = (isWhole ? validateWhole : validateInRun) as ValidateFunction;
  return validator;
}

/**
 * Whether a value may have been refused because such a property was sent; other parts may be wrong too. An object with too many properties
 * is not looked into.
 */
const mayHaveReadOnly = (errors: readonly ErrorObject[]): boolean =>
  errors.some(({ keyword }) => keyword === 'readOnly' || keyword === 'maxProperties');
