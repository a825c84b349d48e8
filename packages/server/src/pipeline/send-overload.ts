/** Sends the refusals of an overload: as text that was prepared, because what is refused takes the time of what is served. */
import { type ContractOperation, HeaderFields } from '@specwright/contract';
import type { AppError } from '@specwright/contract/runtime';
import type { RequestMetrics } from './context/request-metrics.ts';
import type { Sets } from './exchange.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import { canWriteText, send, writeText } from './send-response.ts';

export type ErrorFormatter = (error: AppError, operation?: ContractOperation) => FormattedError;

export interface FormattedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: unknown;
  /** Whether the contract has a place for the message. */
  readonly hasMessage: boolean;
}

export interface OverloadOptions {
  readonly format: ErrorFormatter;
  readonly rateLimit: Pick<RateLimit, 'addHeaders'>;
  readonly metrics?: Pick<RequestMetrics, 'countError'> | undefined;
}

interface Prepared extends Omit<FormattedError, 'body' | 'hasMessage'> {
  readonly text: string;
  /** Its own fields of the head, each after a line break. */
  readonly fields: string | undefined;
}

/** @returns a function that sends one, which is neither counted against limits nor validated: the server has made it itself. */
export function createOverloadSender({ format, rateLimit, metrics }: OverloadOptions) {
  const prepared = new Map<AppError, Map<ContractOperation | undefined, Prepared>>();

  function prepare(error: AppError, operation: ContractOperation | undefined): Prepared {
    let byOperation = prepared.get(error);
    if (byOperation === undefined) prepared.set(error, (byOperation = new Map<ContractOperation | undefined, Prepared>()));
    let answer = byOperation.get(operation);
    if (answer === undefined) {
      const { status, headers, type, body } = format(error, operation);
      const fields = textOf(HeaderFields.of(headers).set('Content-Type', type));
      byOperation.set(operation, (answer = { status, headers, type, text: JSON.stringify(body), fields }));
    }
    return answer;
  }

  return (exchange: Sets<'isOverload'>, error: AppError): void => {
    const { request, response, headers } = exchange;
    exchange.isOverload = true;
    const answer = prepare(error, exchange.operation);
    metrics?.countError(error, answer.status);
    rateLimit.addHeaders(exchange);
    const fields = textOf(headers);
    const isText = exchange.base === '' && fields !== undefined && answer.fields !== undefined;
    if (isText && canWriteText(request, response, answer.status))
      return writeText(response, answer.status, fields + answer.fields, answer.text);
    send(exchange, { ...answer, headers: headers.with(answer.headers) });
  };
}

const NAME = /^(?!connection$)[\w!#$%&'*+.^`|~-]+$/i;
const VALUE = /^[\t\x20-\x7e]*$/;

/** @returns `undefined` for what Node has to check or to read: steps of a service may have added any fields. */
function textOf({ list }: HeaderFields): string | undefined {
  let text = '';
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i] as string;
    const value = list[i + 1] as string;
    if (!NAME.test(name) || !VALUE.test(value)) return undefined;
    text += `\r\n${name}: ${value}`;
  }
  return text;
}
