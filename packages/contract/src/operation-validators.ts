/** The validators of an operation, and the schemas that they need, which are compiled before its first request or at that. */
import type { Document, DocumentOperation } from './document/openapi.ts';
import { createBodyShapes } from './requests/declared-bodies.ts';
import { isBigIntegerAt } from './codec/big-integer-values.ts';
import type { DocumentModules } from './document-modules.ts';
import type { RequestItemValidator } from './requests/item-bodies.ts';
import type { JsonPath } from './json/altered-numbers.ts';
import {
  createRequestValidator,
  requestSchemas,
  type IncomingRequest,
  type RequestValidation,
  type RequestValidator,
} from './requests/request-validator.ts';
import { createResponseValidator, responseSchemas, type ResponseValidator } from './responses/response-validator.ts';
import { createCompileSent } from './responses/sent-value.ts';
import { runInSlices } from './schema/run-in-slices.ts';
import type { CompileSchemaAt } from './schema/compile-schema.ts';
import { createCompiler } from './schema/schema-compiler.ts';

/** A schema that an operation needs, and what for: `the application/json body`, `response 200`. */
interface OperationSchema {
  readonly purpose: string;
  /** Compiles it in steps, each of one schema. Without steps if it is compiled. @throws Error if it does not compile. */
  readonly compile: () => Generator<void>;
}

export interface OperationValidators extends ResponseValidator {
  /** A promise where its schemas have to be compiled first. Read it for each request: then it is the validator itself. */
  readonly validateRequest: (request: IncomingRequest) => RequestValidation | Promise<RequestValidation>;
  readonly isBigIntegerAt: (type: string, path: JsonPath) => boolean;
  /** What the items of a body of a type have to be; `undefined` for a body without items. */
  readonly itemsOf: (type: string) => RequestItemValidator | undefined;
  readonly schemas: readonly OperationSchema[];
  /** Compiles its schemas, in steps, and what validates requests with them. @throws Error if one does not compile. */
  readonly prepare: () => Generator<void>;
}

/** Creates the validators of a document's operations. Each schema is compiled once for requests and once for responses. */
export function createOperationValidators(
  document: Document,
  modules: DocumentModules,
  compileRequest: CompileSchemaAt = createCompiler(document, modules, 'request'),
  compileResponse: CompileSchemaAt = createCompiler(document, modules, 'response', 'required'),
): (operation: DocumentOperation) => OperationValidators {
  const compileSent = createCompileSent(document, compileResponse);
  return (operation) => {
    const toSchema = (steps: (pointer: string) => Generator<void, unknown>) => (schema: { pointer: string; purpose: string }) => ({
      purpose: schema.purpose,
      *compile() {
        yield* steps(schema.pointer);
      },
    });
    let schemas: OperationSchema[] | undefined;
    const listSchemas = (): OperationSchema[] =>
      (schemas ??= [
        ...requestSchemas(document, modules, operation).map(toSchema(compileRequest.steps)),
        ...responseSchemas(document, modules, operation).map(toSchema(compileResponse.steps)),
      ]);
    const shapeOf = createBodyShapes(document, operation);
    let validator: RequestValidator | undefined;
    let preparing: Promise<void> | undefined;
    const created = (): RequestValidator =>
      (validators.validateRequest = validator ??= createRequestValidator(document, modules, compileRequest, operation));
    function* prepare(): Generator<void> {
      for (const { compile } of listSchemas()) yield* compile();
      created();
      yield;
    }
    const validators: OperationValidators & { validateRequest: OperationValidators['validateRequest'] } = {
      validateRequest: (request) => {
        if (validator !== undefined) return validator(request);
        preparing ??= runInSlices(prepare());
        return preparing.then(() => created()(request));
      },
      prepare,
      ...createResponseValidator(document, modules, compileResponse, compileSent, operation),
      isBigIntegerAt: (type, path) => isBigIntegerAt(shapeOf(type), path),
      itemsOf: modules.itemBodies?.createItemValidators(document, compileRequest, operation) ?? none,
      get schemas() {
        return listSchemas();
      },
    };
    return validators;
  };
}

const none = () => undefined;
