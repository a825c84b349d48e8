/** Validates what a service sends by its contract: the bodies of webhooks and callbacks, as those of responses. */
import { stringifyJson } from '../json/write-json.ts';
import type { Document } from '../document/openapi.ts';
import { createCompileSent, type CompileSent, type DescribeErrors, type ValidateSent } from '../responses/sent-value.ts';
import type { CompileSchemaAt } from '../schema/compile-schema.ts';
import { describeErrors } from '../schema/validation-error.ts';
import { listOutgoing, outgoingBody, unsentReason, type DocumentOutgoing, type OutgoingEntry } from './list-outgoing.ts';
import type { Read } from '../types/contract-types.ts';

/** What is to be sent: JSON without what is not declared, and what of it breaks the contract: `body/name is required`. */
export interface ValidatedPayload {
  readonly text: string;
  readonly problems: readonly string[];
}

export interface ContractOutgoing {
  readonly name: string;
  readonly validate: (body: unknown) => ValidatedPayload;
  /** Compiles its schema, in steps. @throws Error if it does not compile. */
  readonly prepare: () => Generator<void>;
  readonly path: DocumentOutgoing['path'];
}

/** Those of a document that can be sent. Nothing is compiled yet. */
export function createOutgoing(document: Document, compile: CompileSchemaAt): ContractOutgoing[] {
  const compileSent = createCompileSent(document, compile, describe);
  return listOutgoing(document)
    .filter((outgoing) => unsentReason(document, outgoing) === undefined)
    .map((outgoing) => toOutgoing(document, compile, compileSent, outgoing));
}

function toOutgoing(document: Document, compile: CompileSchemaAt, compileSent: CompileSent, outgoing: DocumentOutgoing): ContractOutgoing {
  const { name, path } = outgoing;
  const declared = outgoingBody(document, outgoing);
  let validate: ValidateSent | undefined;
  return {
    name,
    path,
    *prepare() {
      if (declared?.schema !== undefined) yield* compile.steps(declared.schemaPointer);
    },
    validate(body) {
      if (declared === undefined) return { text: '', problems: body === undefined ? [] : ['body is not declared'] };
      if (body === undefined) return { text: '', problems: declared.isRequired ? ['body is required'] : [] };
      if (declared.schema === undefined) return { text: stringifyJson(body) ?? '', problems: [] };
      const problems: string[] = [];
      validate ??= compileSent(declared.schema, declared.schemaPointer);
      return { text: stringifyJson(validate(body, 'body', problems)) ?? '', problems };
    },
  };
}

const describe: DescribeErrors = (at, errors) => describeErrors(at, errors).map(({ location, message }) => `${location} ${message}`);

// The types of what a service sends by its contract, as `generated/outgoing.ts` collects them.

/** The body of a webhook: what a server may send by its schema. */
export interface OutgoingWebhook<Body> {
  readonly kind: 'webhook';
  readonly body: Read<Body>;
}

/** The body of a callback, which is sent to the URL that a request has named. */
export interface OutgoingCallback<Body> {
  readonly kind: 'callback';
  readonly body: Read<Body>;
}

/** What was generated of the webhooks and callbacks of a contract: `outgoing` of `generated/outgoing.ts`. `T` has the type of each. */
export interface GeneratedOutgoing<T> {
  readonly types?: T;
  readonly table: { readonly [Name in keyof T]: OutgoingEntry };
}
