/** Reads and checks `x-mcp`: the operations that agents may call as tools, by the Model Context Protocol. */
import {
  isObject,
  listOperations,
  operationKeys,
  parametersOf,
  resolve,
  type Document,
  type DocumentOperation,
  type MediaType,
  type OperationObject,
  type RequestBody,
  type Response,
} from '../document/openapi.ts';
import { bodyKind } from '../http/media-types.ts';
import { itemSchemaOf } from '../schema/item-schema.ts';

export interface ToolExtension {
  /** Default: the operationId. */
  readonly name: string;
  /** For models. Default: `description` of the operation, else its `summary`. */
  readonly description: string | undefined;
  /** Whether it may destroy something, which hosts may ask a person about. Default: by the method. */
  readonly destructive: boolean | undefined;
}

/** What model providers accept as the name of a tool. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const FIELDS = ['name', 'description', 'destructive'];

const isTool = (operation: OperationObject): boolean => operation['x-mcp'] !== undefined && operation['x-mcp'] !== false;

/** @returns `undefined` for an operation that is no tool. */
export function toolExtensionOf({ id, operation }: DocumentOperation): ToolExtension | undefined {
  if (!isTool(operation)) return undefined;
  const given = isObject(operation['x-mcp']) ? operation['x-mcp'] : {};
  const { name = id, description = operation.description ?? operation.summary, destructive } = given as Partial<ToolExtension>;
  return { name, description: description === undefined ? undefined : description.trim(), destructive };
}

/** The JSON of a body: its media type, `application/json` before others. */
export function jsonContentOf(content: Readonly<Record<string, MediaType>> = {}): readonly [type: string, media: MediaType] | undefined {
  const found = Object.entries(content).filter(([type, media]) => bodyKind(type) === 'json' && itemSchemaOf(type, media) === undefined);
  return found.find(([type]) => type === 'application/json') ?? found[0];
}

type Found = [path: (string | number)[], problem: string];

export function* toolProblems(document: Document): Generator<Found> {
  const names = new Map<string, string>();
  for (const operation of listOperations(document)) {
    const at = [...operationKeys(operation), 'x-mcp'];
    const extension = operation.operation['x-mcp'];
    if (extension === undefined) continue;
    const problems = [...fieldProblems(extension)];
    for (const [keys, problem] of problems) yield [[...at, ...keys], problem];
    const tool = problems.length > 0 ? undefined : toolExtensionOf(operation);
    if (tool === undefined) continue;
    const other = names.get(tool.name);
    if (!NAME.test(tool.name)) yield [at, `${tool.name} is no name of a tool: set x-mcp/name to at most 64 letters, digits, - and _`];
    else if (other !== undefined) yield [at, `${other} is the tool ${tool.name} already: set x-mcp/name to another one`];
    names.set(tool.name, operation.id);
    for (const problem of shapeProblems(document, operation)) yield [at, `${operation.id} cannot be a tool: ${problem}, or remove x-mcp`];
  }
}

function* fieldProblems(extension: unknown): Generator<Found> {
  if (typeof extension === 'boolean') return;
  if (!isObject(extension)) {
    yield [[], `x-mcp must be true, or have name, description and destructive; not ${JSON.stringify(extension)}`];
    return;
  }
  for (const key of Object.keys(extension).filter((name) => !FIELDS.includes(name)))
    yield [[key], `x-mcp/${key} is not allowed here, only ${FIELDS.join(', ')}`];
  for (const key of ['name', 'description'])
    if (extension[key] !== undefined && (typeof extension[key] !== 'string' || extension[key].trim() === ''))
      yield [[key], `x-mcp/${key} must be a text, not ${JSON.stringify(extension[key])}`];
  if (extension['destructive'] !== undefined && typeof extension['destructive'] !== 'boolean')
    yield [['destructive'], `x-mcp/destructive must be true or false, not ${JSON.stringify(extension['destructive'])}`];
}

/** Tools take and give JSON, or give text: what cannot be said so. */
function* shapeProblems(document: Document, documentOperation: DocumentOperation): Generator<string> {
  const { operation } = documentOperation;
  const { content } = operation.requestBody === undefined ? {} : resolve<RequestBody>(document, operation.requestBody);
  if (content !== undefined && jsonContentOf(content) === undefined)
    yield `its body is ${Object.keys(content).join(' or ')}, and a tool sends JSON: declare application/json beside it`;
  for (const { name, in: location, required } of parametersOf(document, documentOperation))
    if (location === 'cookie' && required === true) yield `it requires the cookie ${name}, which a tool does not send: make it a header`;
  for (const [status, reference] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue;
    const types = Object.entries(resolve<Response>(document, reference).content ?? {});
    if (types.length === 0 || types.some(([type, media]) => isReadable(type, media))) continue;
    const isStream = types.some(([type, media]) => itemSchemaOf(type, media) !== undefined);
    yield isStream
      ? `its response ${status} is a stream of items, and a tool has one result: offer an operation that answers a page of them in JSON`
      : `its response ${status} is ${types.map(([type]) => type).join(' or ')}, and a tool answers JSON or text: declare application/json beside it`;
  }
}

const isReadable = (type: string, media: MediaType): boolean =>
  ['json', 'text'].includes(bodyKind(type)) && itemSchemaOf(type, media) === undefined;
