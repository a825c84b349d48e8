/** Keeps the verdicts of a schema on the values of one validation. */
import type { ValidateFunction } from 'ajv';
import type { ValidationRun } from './validation-run.ts';

/** Where a value is, as Ajv's code passes it on. */
export type ValidationContext = Parameters<ValidateFunction>[1];

/** What Ajv's code calls, and reads after a call: the errors, and what was evaluated. */
type CachedFunction = ((value: unknown, context?: ValidationContext) => boolean) & Pick<ValidateFunction, 'errors' | 'evaluated'>;

export interface CachedVerdicts {
  readonly validate: CachedFunction;
}

type Evaluated = NonNullable<ValidateFunction['evaluated']>;

interface Verdict {
  readonly errors: ValidateFunction['errors'];
  readonly evaluated: Evaluated | undefined;
}

/** Each schema that the value matches differently is another one: a verdict depends on the value alone. So texts and numbers are keys too. */
export function createCachedVerdicts(schema: { readonly validate: ValidateFunction }, run: ValidationRun): CachedVerdicts {
  const verdicts = new Map<unknown, Verdict>();
  const judge = (value: unknown, context: ValidationContext): Verdict => {
    const { validate } = schema;
    validate(value, context);
    // The errors of branches would be copied at each level of a value; one of them says as much to who wants a verdict.
    const verdict = { errors: validate.errors?.slice(0, 1) ?? null, evaluated: validate.evaluated && copyOf(validate.evaluated) };
    if (verdicts.size === 0) run.clearAtEnd(verdicts);
    verdicts.set(value, verdict);
    return verdict;
  };
  const validate: CachedFunction = (value, context) => {
    const { errors, evaluated } = verdicts.get(value) ?? judge(value, context);
    validate.errors = errors;
    // Its caller adds to it.
    validate.evaluated = evaluated && copyOf(evaluated);
    return errors === null;
  };
  return { validate };
}

const copyOf = ({ props, ...rest }: Evaluated): Evaluated => ({ ...rest, props: typeof props === 'object' ? { ...props } : props });
