/** The pet store's contract, whole or without parts, and handlers for the operations that are not measured. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContract, type Contract } from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';
import { contract as generated, type ContractTypes, type Handlers } from '../../../generated/contract.ts';

interface Parts {
  /** Without: no `x-rate-limit-plans`, and the headers of the limits are optional. */
  readonly limits: boolean;
  /** Without: no operation asks for an API key. */
  readonly security?: boolean;
}

interface Document {
  'x-rate-limit-plans'?: unknown;
  security?: unknown;
  paths: Record<string, Record<string, { security?: unknown }>>;
  components: { headers: Record<string, { required?: boolean }> };
}

/** @param spec a file of JSON. */
export async function loadPetStoreContract(spec: string, { limits, security = true }: Parts): Promise<Contract<ContractTypes>> {
  if (limits && security) return loadContract(spec, generated);
  const document = JSON.parse(await readFile(spec, 'utf8')) as Document;
  if (!limits) {
    delete document['x-rate-limit-plans'];
    for (const [name, header] of Object.entries(document.components.headers)) if (/RateLimit/.test(name)) delete header.required;
  }
  if (!security) {
    delete document.security;
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) delete operation.security;
  }
  const text = JSON.stringify(document);
  const { document: parsed, digest } = parseSource('spec.json', text);
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'spec.json');
    await writeFile(file, text);
    const table = { digest, operations: operationTable(parsed) } as unknown as typeof generated;
    return await loadContract(file, table);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A handler for every operation: nobody calls those that are left. */
export function unmeasuredHandlers<Caller>({ operations }: Contract<ContractTypes>): Handlers<Caller> {
  const fail = async () => {
    throw new Error('only getStorePet and createPet are measured');
  };
  return Object.fromEntries(operations.map(({ id }) => [id, fail])) as unknown as Handlers<Caller>;
}
