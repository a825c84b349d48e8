/** Tries the operations of a new project: one that no request can reach is proved to be so, or a defect. */
import {
  createServer,
  loadContract,
  notImplemented,
  unimplementedScheme,
  type Contract,
  type ContractTypes,
  type GeneratedContract,
  type Log,
} from '@specwright/server';
import {
  displayFile,
  type Document,
  listUnsupported,
  operationKeys,
  operationTable,
  type SourceDocument,
} from '@specwright/contract/document';
import { createProver, formatContradiction, type Prove } from '@specwright/contract/proofs';
import { child, type SpecMedia, type SpecParameter } from '../testing/contract/document.ts';
import { createOperationClient, type OperationClient } from '../testing/contract/operation-client.ts';
import { schemaCheckOf } from '../testing/contract/values/schema-check.ts';
import { createWitness, type Witness } from '../testing/contract/witnesses/witness.ts';
import { exemptionOf, sentBy } from '../testing/contract/outgoing.ts';
import { listenOnFreePort } from '../testing/fixtures/app.ts';

const nothing = () => undefined;
const SILENT: Log = { info: nothing, warn: nothing, error: nothing, child: () => SILENT };
/** A busy machine, which compiles large schemas for the first request, is no defect: a day. */
const UNBOUNDED_MS = 24 * 60 * 60_000;
const UNLIMITED = { minute: 1_000_000_000, day: 1_000_000_000 };

/** What became of a request of each operation, by operationId. */
export interface TriedOperations {
  /** Why no request can reach it: a proved contradiction of the contract, with the keyword, its line and a value that was tried. */
  readonly unreachable: Readonly<Record<string, string>>;
  /** What went wrong though nothing of the contract says that it must. */
  readonly defects: Readonly<Record<string, string>>;
}

/**
 * Calls each operation with the request that its test would send, of a server whose handlers all answer 501.
 *
 * @param spec the contract. @param generated what `generated/contract.ts` exports for it. @param source the same contract, for lines.
 */
export async function tryOperations(spec: URL, generated: unknown, source: SourceDocument): Promise<TriedOperations> {
  const contract: Contract = await loadContract(spec, generated as GeneratedContract<ContractTypes>);
  const ids = contract.operations.map(({ id }) => id);
  const schemes = contract.operations.flatMap(({ requirements }) => requirements.flat().map(({ name }) => name));
  const server = createServer({
    contract,
    handlers: Object.fromEntries(ids.map((id) => [id, async () => notImplemented(id)])) as never,
    security: Object.fromEntries(schemes.map((scheme) => [scheme, unimplementedScheme])),
    rateLimit: { subject: () => ({ bucket: 'all', quota: UNLIMITED }), plans: { plans: {}, address: UNLIMITED } },
    log: SILENT,
    requestTimeoutMs: UNBOUNDED_MS,
  });
  const { url, close } = await listenOnFreePort(server);
  try {
    const witness = createWitness(contract.document);
    const prove = createProver(witness.document as unknown as Document, 'sent', schemaCheckOf(witness.document, 'request').problems);
    const client = createOperationClient({ spec: witness, servers: { service: url } });
    const never = new Map(
      listUnsupported(source).flatMap(({ isUnreached, operationId, feature, behavior }) =>
        isUnreached && operationId !== undefined ? [[operationId, `${feature}: ${behavior}`] as const] : [],
      ),
    );
    const unreachable: Record<string, string> = {};
    const defects: Record<string, string> = {};
    for (const id of ids) {
      const refusal = await tryOperation(client, id);
      if (refusal === undefined) continue;
      const proof = never.get(id) ?? (refusal.status === 413 ? TOO_LARGE : contradictionOf(witness, id, source, prove));
      if (proof !== undefined) unreachable[id] = proof;
      else defects[id] = refusal.reason;
    }
    return { unreachable, defects };
  } finally {
    await close();
  }
}

/** @returns `undefined` if the request made from the contract arrives at its handler. */
async function tryOperation(
  client: OperationClient,
  id: string,
): Promise<{ readonly status?: number; readonly reason: string } | undefined> {
  const { missing, notes, body } = await client.sample(id);
  const because = [...notes, ...(body === undefined ? [] : [`the body is ${JSON.stringify(body)}`])].map(
    (note) => `\n    ${note.slice(0, 500)}`,
  );
  try {
    const { status, text } = await client.send(id);
    if (missing.length === 0 && (status === 501 || status === 410)) return undefined;
    const answer = `the request made from the contract is answered ${status}: ${text.slice(0, 200)}`;
    return { status, reason: (missing.length > 0 ? `no value can be made of ${missing.join(', ')}` : answer) + because.join('') };
  } catch (error) {
    return { reason: `the request made from the contract cannot be sent: ${(error as Error).message}${because.join('')}` };
  }
}

const TOO_LARGE = 'the smallest request is larger than what is read, and answered 413: set x-body-limit in the operation';

/** Why nothing that the operation requires can be valid, if it is so. */
function contradictionOf({ operation }: Witness, id: string, source: SourceDocument, prove: Prove): string | undefined {
  const { parameters, body } = operation(id);
  const required = parameters
    .filter((parameter) => parameter.required)
    .map((parameter) => ({ place: `${parameter.in}/${parameter.name}`, media: mediaOf(parameter) }));
  const content = Object.entries(body?.required ? body.content : {}).map(([type, media]) => ({
    media,
    pointer: child(body?.pointer ?? '', 'content', type),
  }));
  for (const { place, media } of [...required, { place: 'body', media: content }]) {
    // Of several media types one is enough; what is not parsed is valid whatever its schema says.
    const found = media.map(({ media: { schema }, pointer }) =>
      schema === undefined ? undefined : prove(child(pointer, 'schema'), place),
    );
    const [first] = found;
    if (first !== undefined && found.every((one) => one !== undefined))
      return `${formatContradiction(first, source.locate)}; tried ${JSON.stringify(first.tried).slice(0, 100)}`;
  }
  return undefined;
}

/** The schema of a parameter is its own, or that of its one media type. */
const mediaOf = ({ pointer, content, ...media }: SpecParameter): readonly { media: SpecMedia; pointer: string }[] =>
  content === undefined
    ? [{ media, pointer }]
    : Object.entries(content).map(([type, one]) => ({ media: one, pointer: child(pointer, 'content', type) }));

const formatPlace = ({ file, line }: ReturnType<SourceDocument['locate']>): string =>
  file === undefined ? `line ${line}` : `${displayFile(file)}:${line}`;

/** Where defects are reported. */
const ISSUES = 'https://github.com/specwright/specwright/issues';

/** The message with which `new` ends. */
export function formatDefects(defects: TriedOperations['defects'], { document, locate }: SourceDocument): string {
  const table = operationTable(document);
  const lines = Object.entries(defects).map(([id, reason]) => {
    const operation = table[id];
    return `  ${id}${operation === undefined ? '' : ` (${formatPlace(locate(operationKeys(operation)))})`}: ${reason}`;
  });
  return [
    'No valid request can be made of these operations, and nothing in the document says why:',
    ...lines,
    `This is a defect of specwright: please report it with the document, ${ISSUES}`,
    'Until it is fixed their tests fail. Add an example of the request to the document, or exempt them in test/contract/exemptions.json.',
  ].join('\n');
}

/** What the contract says that the service sends: a new project sends nothing. @returns the reason, by exemption. */
export const outgoingExemptions = ({ document }: Pick<SourceDocument, 'document'>): Record<string, string> =>
  Object.fromEntries(sentBy({ document: document as never }).map((outgoing) => [exemptionOf(outgoing), 'nothing sends it yet']));
