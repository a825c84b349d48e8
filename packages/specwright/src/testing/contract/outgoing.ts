/** Tests of what a service sends: each webhook and callback of the contract is sent in the run, and its request is as declared. */
import { createHmac } from 'node:crypto';
import { listOutgoing, outgoingBody, unsentReason, type Document, type DocumentOutgoing } from '@specwright/contract/document';
import { scaleTimeout, testRunner, until, withFixture } from '../fixtures/fixture.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from '../fixtures/app.ts';
import { parseBody } from './read-back.ts';
import { type Walk, exemptionsFileOf } from './walk-options.ts';
import { schemaCheckOf } from './values/schema-check.ts';
import type { Witness } from './witnesses/witness.ts';

type OutgoingTests<World> = Pick<Walk<World>, 'spec' | 'world' | 'outgoing' | 'exemptions' | 'exemptionsFile'>;

const DELIVERY_TIMEOUT_MS = 20_000;

/** The webhooks and callbacks of a document that can be sent. */
export function sentBy(spec: Pick<Witness, 'document'>): DocumentOutgoing[] {
  const document = spec.document as unknown as Document;
  return listOutgoing(document).filter((outgoing) => unsentReason(document, outgoing) === undefined);
}

/** The key of an exemption: `webhook orderCompleted`, `callback exportDone`. */
export const exemptionOf = ({ name, callback }: DocumentOutgoing): string => `${callback === undefined ? 'webhook' : 'callback'} ${name}`;

/** Declares a test for each webhook and callback of the contract; none for a contract without any. */
export function testOutgoing<World>(tests: OutgoingTests<World>): void {
  const { describe, test } = testRunner();
  const declared = sentBy(tests.spec);
  const names = declared.map(({ name }) => name);
  const unknown = Object.keys(tests.outgoing ?? {}).filter((name) => !names.includes(name));
  if (declared.length === 0 && unknown.length === 0) return;
  describe('what the service sends', () => {
    const receiver = withFixture(
      () =>
        startReceiver(({ path = '' }) => ({
          status: acceptedStatus(declared.find(({ name }) => path === `/${encodeURIComponent(name)}`)),
        })),
      (started) => started.close(),
    );
    for (const outgoing of declared)
      test(
        `${exemptionOf(outgoing)} is sent as declared`,
        () => tryOutgoing(tests, outgoing, receiver),
        scaleTimeout(DELIVERY_TIMEOUT_MS) + 5000,
      );
    test('every scenario is of a webhook or a callback of the contract', () => {
      if (unknown.length > 0) throw new Error(`not in the contract: ${unknown.join(', ')}. Remove it from the scenarios`);
    });
  });
}

/** The lowest status that the contract declares, so that it is seen to be one. */
function acceptedStatus(outgoing: DocumentOutgoing | undefined): number {
  const [status] = Object.keys(outgoing?.operation.responses ?? {}).filter((key) => /^2\d\d$/.test(key));
  return Number(status ?? 204);
}

/** @throws Error unless it is sent as declared, or is exempt because nothing sends it. */
export async function tryOutgoing<World>(
  tests: OutgoingTests<World>,
  outgoing: DocumentOutgoing,
  receiver: Pick<Receiver, 'url' | 'received'>,
): Promise<void> {
  const { name } = outgoing;
  const key = exemptionOf(outgoing);
  const scenario = tests.outgoing?.[name];
  const reason = tests.exemptions?.[key];
  if (scenario === undefined && reason === undefined)
    throw new Error(
      `nothing sends ${name}: add \`outgoing: { ${name}: async (world, url) => ... }\` beside the scenarios, which makes the service send it to url, ` +
        `or exempt "${key}" with the reason in ${exemptionsFileOf(tests)}`,
    );
  if (scenario === undefined) return;
  if (reason !== undefined)
    throw new Error(`"${key}" is exempt (${reason}), but has a scenario. Remove it from ${exemptionsFileOf(tests)}`);
  const path = `/${encodeURIComponent(name)}`;
  const secret = await scenario(tests.world, new URL(path, receiver.url).href);
  const arrived = () => receiver.received.filter((request) => request.path === path);
  await until(() => arrived().length > 0, DELIVERY_TIMEOUT_MS).catch(() => {
    throw new Error(
      `${name} did not arrive at the receiver within ${DELIVERY_TIMEOUT_MS} ms: is a worker running, and are addresses on loopback allowed?`,
    );
  });
  const problems = arrived().flatMap((request) => problemsOf(tests.spec, outgoing, request, secret));
  if (problems.length > 0) throw new Error(`${name} is not sent as declared:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
}

function problemsOf(
  { document }: Witness,
  outgoing: DocumentOutgoing,
  { method, headers, body }: ReceivedRequest,
  secret?: string,
): string[] {
  const problems: string[] = [];
  if (method !== outgoing.method.toUpperCase()) problems.push(`the method is ${String(method)}, not ${outgoing.method.toUpperCase()}`);
  const declared = outgoingBody(document as unknown as Document, outgoing);
  const type = headers['content-type'];
  if (declared === undefined || (body === '' && !declared.isRequired)) {
    if (body !== '') problems.push('body is not declared');
  } else {
    if (type !== declared.contentType) problems.push(`the media type is ${String(type)}, not ${declared.contentType}`);
    if (declared.schema !== undefined)
      problems.push(...schemaCheckOf(document, 'response').problems(declared.schemaPointer, parseBody({ text: body }), 'body'));
  }
  if (secret !== undefined && !isSigned(headers, body, secret)) problems.push('the header webhook-signature is not that of the secret');
  return problems;
}

/** By Standard Webhooks 1.0.0, read by itself. */
function isSigned(headers: ReceivedRequest['headers'], body: string, secret: string): boolean {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']].map(String);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${id ?? ''}.${timestamp ?? ''}.${body}`)
    .digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
