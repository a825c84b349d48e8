/** What an error is answered with: a table gives its status, the contract the schema of its body. */
import type { Contract, ContractOperation, ErrorParts } from '@specwright/contract';
import { type AppError, codeOfStatus, FRAMEWORK_ERRORS, type ErrorStatuses, type FrameworkErrorCode } from '@specwright/contract/runtime';

export interface ErrorOptions {
  /** Its codes and their statuses, including those of the framework. Default: `FRAMEWORK_ERRORS`. */
  readonly statuses?: ErrorStatuses;
  /** The media type of every error body. Default: what the contract declares for the response. */
  readonly type?: string;
  /** Whether errors go to the error handler of the application that this one is mounted in, with `status`, `code` and `headers`. Default: `false`. */
  readonly next?: boolean;
  /** The body of every error. Default: made from the schema that the contract declares for the response. */
  readonly body?: (error: ErrorParts) => object;
}

export interface FormattedError {
  readonly status: number;
  readonly headers: AppError['headers'];
  readonly type: string;
  readonly body: unknown;
  /** Whether the contract has a place for the message. */
  readonly hasMessage: boolean;
  /** Whether each error with its code, message and status has this body: not if a function of the service has made it, or it has the time in it. */
  readonly isConstant: boolean;
}

/** @param operation of the request, if it has one. */
export type ErrorFormatter = (error: AppError, operation?: ContractOperation) => FormattedError;

/** What changes how text around it is read, by terminals and by people: controls, line ends, marks of direction. A message may repeat what a client sent. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Most messages are. */
const PRINTABLE = /^[ -~]*$/;

const printable = (text: string): string => (PRINTABLE.test(text) ? text : text.toWellFormed().replace(UNPRINTABLE, '\uFFFD'));

/** The refusals of what a request has: an operation may declare another status for them (`refusalStatuses`). */
const REFUSALS: readonly string[] = [
  'invalid_request',
  'invalid_json',
  'idempotency_key_reused',
  'body_too_large',
  'unsupported_content_type',
] satisfies FrameworkErrorCode[];

/** A code that the table lacks is an internal error. */
export function createErrorFormatter(
  { statuses = FRAMEWORK_ERRORS, type, body }: ErrorOptions,
  contract: Pick<Contract, 'errorBody'>,
): ErrorFormatter {
  const bodyOf = (error: ErrorParts, operation: ContractOperation | undefined) => {
    const { status } = error;
    if (body !== undefined) return { status, type: type ?? 'application/json', body: body(error), hasMessage: true, isConstant: false };
    const declared = (operation ?? contract).errorBody(status);
    let isConstant = error.problems === undefined;
    const made = declared.make(error, () => {
      isConstant = false;
      return new Date();
    });
    return { status, type: type ?? declared.type, body: made, hasMessage: declared.hasMessage, isConstant };
  };
  return (error, operation) => {
    const { code: given, status: wanted, problems } = error;
    const message = printable(error.message);
    // A service may have a code for a status that the framework has none for.
    const code = wanted === undefined ? given : (codeOfStatus(statuses, wanted) ?? given);
    const own = wanted ?? (Object.hasOwn(statuses, code) ? statuses[code] : undefined);
    if (own === undefined)
      return { ...bodyOf({ code: 'internal_error', message: 'internal error', status: 500 }, operation), headers: {}, isConstant: false };
    const status = (REFUSALS.includes(code) && operation?.refusalStatuses.get(own)) || own;
    const listed = problems?.map((one) => ({ ...one, pointer: printable(one.pointer), message: printable(one.message) }));
    const formatted = bodyOf({ code, message, status, problems: listed }, operation);
    // The codes of the table are bounded, those that are given with a status are not.
    return { ...formatted, headers: error.headers, isConstant: formatted.isConstant && Object.hasOwn(statuses, given) };
  };
}
