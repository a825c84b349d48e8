/** Finds the operations of a new project that its tests cannot call: no valid request can be made from the contract. */
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
import type { SourceDocument } from '@specwright/contract/document';
import { createOperationClient } from '../testing/contract/operation-client.ts';
import { createWitness } from '../testing/contract/witnesses/witness.ts';
import { exemptionOf, sentBy } from '../testing/contract/outgoing.ts';
import { listenOnFreePort } from '../testing/fixtures/app.ts';

const nothing = () => undefined;
const SILENT: Log = { info: nothing, warn: nothing, error: nothing, child: () => SILENT };
const UNLIMITED = { minute: 1_000_000_000, day: 1_000_000_000 };

/**
 * Calls each operation with the request that its test would send, of a server whose handlers all answer 501.
 *
 * @param spec the contract. @param generated what `generated/contract.ts` exports for it.
 * @returns the reason, by operation.
 */
export async function findExemptions(spec: URL, generated: unknown): Promise<Record<string, string>> {
  const contract: Contract = await loadContract(spec, generated as GeneratedContract<ContractTypes>);
  const ids = contract.operations.map(({ id }) => id);
  const schemes = contract.operations.flatMap(({ requirements }) => requirements.flat().map(({ name }) => name));
  const server = createServer({
    contract,
    handlers: Object.fromEntries(ids.map((id) => [id, async () => notImplemented(id)])) as never,
    security: Object.fromEntries(schemes.map((scheme) => [scheme, unimplementedScheme])),
    rateLimit: { subject: () => ({ bucket: 'all', quota: UNLIMITED }), plans: { plans: {}, address: UNLIMITED } },
    log: SILENT,
  });
  const { url, close } = await listenOnFreePort(server);
  try {
    const client = createOperationClient({ spec: createWitness(contract.document), servers: { service: url } });
    const exemptions: Record<string, string> = {};
    for (const id of ids) {
      const { missing } = await client.sample(id);
      const { status, text } = await client.send(id);
      if (missing.length > 0) exemptions[id] = `no value can be made of ${missing.join(', ')}`;
      else if (status !== 501 && status !== 410)
        exemptions[id] = `a request made from the contract is answered with ${status}: ${text.slice(0, 200)}`;
    }
    return exemptions;
  } finally {
    await close();
  }
}

/** What the contract says that the service sends: a new project sends nothing. @returns the reason, by exemption. */
export const outgoingExemptions = ({ document }: Pick<SourceDocument, 'document'>): Record<string, string> =>
  Object.fromEntries(sentBy({ document: document as never }).map((outgoing) => [exemptionOf(outgoing), 'nothing sends it yet']));
