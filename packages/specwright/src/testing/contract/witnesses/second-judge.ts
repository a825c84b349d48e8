/** express-openapi-validator as a second judge of requests: it shares no code with the validator of the server, and no mistakes. */
import { parse as parseQuery } from 'node:querystring';
import { isThenable } from '@specwright/server';
import {
  formatOf,
  isKnownFormat,
  mapSchemas,
  modelOf,
  tagAlternatives,
  visitDocument,
  withInheritance,
  type Document,
} from '@specwright/contract/document';
import type { Json } from '../document.ts';

export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  /** `undefined` without a body. */
  readonly body: Buffer | undefined;
}

/** What the judge has against a request: where, the keyword of JSON Schema if there is one, and the message. */
export interface Objection {
  readonly location: string;
  readonly keyword: string | undefined;
  readonly message: string;
}

export interface SecondJudge {
  /** Its objections: none if it accepts the request. `undefined` if it cannot say. */
  readonly objections: (request: SentRequest) => Promise<readonly Objection[] | undefined>;
}

/** The errors of the library: those of Ajv have a keyword in `errorCode`, as `type.openapi.validation`. */
interface ValidatorError extends Error {
  readonly status?: number;
  readonly path?: string;
  readonly errors?: readonly { readonly path?: string; readonly message: string; readonly errorCode?: string }[];
}

/** A step of the library, which is Express middleware. */
type Step = (request: object, response: object, next: (error?: unknown) => void) => unknown;

/** What the library asks of an application: paths are case-sensitive, and with a slash at the end they are others. */
const APP = { enabled: () => true, param: () => undefined };

const judges = new WeakMap<Json, SecondJudge>();

/**
 * The same one for the same document, as its authors wrote it: what rewrites it for the server has no part in the verdict. It is loaded when the first request is judged.
 *
 * @param note is told once why the judge cannot say anything about a document, or about some of its operations.
 */
export function secondJudgeOf(document: Json, note: (text: string) => void = console.warn): SecondJudge {
  const judge = judges.get(document) ?? createSecondJudge(document, note);
  judges.set(document, judge);
  return judge;
}

export function createSecondJudge(document: Json, note: (text: string) => void): SecondJudge {
  const noted = new Set<string>();
  const noteOnce = (text: string) => {
    if (!noted.has(text)) note(text);
    noted.add(text);
  };
  let loading: Promise<readonly Step[] | undefined> | undefined;
  return {
    async objections(request) {
      loading ??= load(document).catch((error: unknown) => {
        noteOnce(`The second judge of requests is off: express-openapi-validator cannot load the document: ${messageOf(error)}`);
        return undefined;
      });
      const steps = await loading;
      if (steps === undefined) return undefined;
      const error = await ask(steps, request);
      if (error === undefined) return [];
      if (isObjection(error)) return listObjections(error);
      noteOnce(`The second judge cannot say whether ${request.method} ${pathOf(request)} is valid: ${messageOf(error)}`);
      return undefined;
    },
  };
}

/** 404 and 405 are no verdict: the server has found the operation. */
const isObjection = (error: ValidatorError): boolean => error.status === 400 || error.status === 415;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);
const pathOf = ({ target }: SentRequest): string => target.split('?')[0] ?? '';

function listObjections({ message, path = '', errors = [] }: ValidatorError): Objection[] {
  if (errors.length === 0) return [{ location: path, keyword: undefined, message }];
  return errors.map((one) => ({
    location: one.path ?? path,
    keyword: /^(.+)\.openapi\.validation$/.exec(one.errorCode ?? '')?.[1],
    message: one.message,
  }));
}

async function load(document: Json): Promise<readonly Step[]> {
  const { middleware } = await import('../../../libraries/express-openapi-validator.ts');
  const steps = middleware({
    // It serves the paths of servers only, and tests send to the root. What it loads it also changes.
    apiSpec: { ...structuredClone(judgedDocument(document)), servers: [] } as never,
    validateApiSpec: false,
    validateSecurity: false,
    validateResponses: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: Object.fromEntries(unknownFormats(document).map((format) => [format, true])),
  }) as unknown as Step[];
  // The first step reports what is wrong with the document.
  const problem = await runSteps(steps.slice(0, 1), requestOf({ method: 'GET', target: '/', headers: new Headers(), body: undefined }));
  if (problem !== undefined) throw problem;
  return steps;
}

/** It knows discriminators beside `oneOf` alone: children are written as alternatives that say what selects them. */
function judgedDocument(document: Json): Json {
  const given = document as unknown as Document;
  const expanded = withInheritance(given);
  if (expanded === given) return document;
  const tagged = mapSchemas(expanded, undefined, (schema) => [
    typeof schema === 'object' && schema !== null ? tagAlternatives(expanded, schema) : schema,
    () => undefined,
  ]);
  return tagged as unknown as Json;
}

/** Each would be a warning. */
function unknownFormats(document: Json): string[] {
  const unknown = new Set<string>();
  visitDocument(modelOf(document as unknown as Document), {
    schema(schema) {
      const format = formatOf(schema);
      if (format !== undefined && !isKnownFormat(format)) unknown.add(format);
    },
  });
  return [...unknown];
}

/** @returns what a step has passed on as an error, or thrown. */
async function ask(steps: readonly Step[], sent: SentRequest): Promise<Error | undefined> {
  let request: object;
  try {
    request = requestOf(sent);
  } catch (error) {
    // A parser of bodies refuses it before a validator is asked.
    return Object.assign(new Error(`body is not JSON: ${messageOf(error)}`), { status: 400, path: '/body' });
  }
  return runSteps(steps, request);
}

async function runSteps(steps: readonly Step[], request: object): Promise<Error | undefined> {
  for (const step of steps) {
    const problem = await new Promise<unknown>((resolve, reject) => {
      // It answers by `next` alone, so there is no response.
      const returned = step(request, {}, resolve);
      if (isThenable(returned)) returned.then(undefined, reject);
    }).catch((error: unknown) => error);
    if (problem !== undefined) return problem instanceof Error ? problem : new Error(JSON.stringify(problem));
  }
  return undefined;
}

/** The request as Express and its parsers hand it on. @throws SyntaxError if its body should be JSON and is not. */
function requestOf({ method, target, headers, body }: SentRequest): object {
  const cookies = (headers.get('cookie') ?? '').split('; ').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]];
  });
  const path = target.split('?')[0] ?? '';
  return {
    app: APP,
    method,
    url: target,
    originalUrl: target,
    baseUrl: '',
    path,
    params: {},
    query: { ...parseQuery(target.slice(path.length + 1)) },
    headers: Object.fromEntries(headers),
    cookies: Object.fromEntries(cookies),
    body: body === undefined ? undefined : parseBody(headers.get('content-type') ?? '', body.toString()),
  };
}

function parseBody(type: string, text: string): unknown {
  if (/[/+]json(?![\w-])/i.test(type)) return JSON.parse(text);
  return /^application\/x-www-form-urlencoded\b/i.test(type) ? { ...parseQuery(text) } : text;
}
