/** Forty calls of a new project's own server and of a mock of its document, judged by what the document says. */
import { join } from 'node:path';
import {
  createOperationClient,
  createTestLog,
  createWitness,
  GENERIC_SCENARIOS,
  killProcesses,
  listenOnFreePort,
} from 'specwright/testing';
import { startProcess, type Call, type OperationClient, type SpecOperation, type Witness } from 'specwright/testing';
import { createMockServer } from '../../src/mock/mock-server.ts';
import { NoValueError } from '../../src/testing/contract/values/build-options.ts';
import { fillIn } from '../../src/testing/contract/values/fill-in.ts';
import { listVariants, requestSchemas } from '../../src/testing/contract/values/variants.ts';

const CALLS = 40;

/** What became of the calls. */
export interface CallResults {
  readonly sent: number;
  readonly problems: readonly string[];
}

/** Starts the project and the mock, and calls both. @param unreached operationIds whose requests nothing can make valid. */
export async function callServers(project: string, unreached: readonly string[]): Promise<CallResults> {
  const { server, contract } = await createMockServer(join(project, 'spec/openapi.yaml'), { log: createTestLog([]) });
  const mock = await listenOnFreePort(server);
  try {
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(project, '.data') };
    const own = startProcess({ program: 'src/main.ts', nodeArgs: ['--import', 'tsx'], cwd: project, env });
    const spec = createWitness(contract.published, { undeclaredHeaders: 'all' });
    const client = createOperationClient({ spec, servers: { own: await own.url(), mock: mock.url } });
    const problems: string[] = [];
    const planned = await planCalls(spec, client, unreached);
    for (const one of planned) problems.push(...(await tryCall(spec, client, one)));
    return { sent: planned.length, problems };
  } finally {
    await killProcesses();
    await mock.close();
  }
}

interface PlannedCall {
  readonly operation: SpecOperation;
  readonly name: string;
  readonly call: Call;
  readonly isValid: boolean;
}

/** The operations take turns: a request with what is required, one that is wrong, and then each value and branch that the schema has. */
async function planCalls(spec: Witness, client: OperationClient, unreached: readonly string[]): Promise<PlannedCall[]> {
  const queues = await Promise.all(
    spec.operations.map(async (operation) => {
      const wrong = wrongCalls(spec, operation);
      const valid = unreached.includes(operation.id) ? [] : await validCalls(spec, client, operation);
      return [...valid.slice(0, 1), ...wrong.slice(0, 1), ...valid.slice(1), ...wrong.slice(1)];
    }),
  );
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, i) => queues.flatMap((queue) => queue[i] ?? [])).flat();
  return turns.slice(0, CALLS);
}

async function validCalls(spec: Witness, client: OperationClient, operation: SpecOperation): Promise<PlannedCall[]> {
  const sample = await client.sample(operation.id);
  const schemas = requestSchemas(spec.document, operation);
  const filled = listVariants(spec.document, schemas).flatMap((variant) => {
    try {
      return { name: variant.name, call: fillIn({ spec, schemas, sample, calls: [{}], variant, omitted: [] }) };
    } catch (error) {
      // A branch or value of which nothing can be made.
      if (error instanceof NoValueError) return [];
      throw error;
    }
  });
  return [{ name: 'what is required', call: {} }, ...filled].map((one) => ({ ...one, operation, isValid: true }));
}

function wrongCalls({ document }: Witness, operation: SpecOperation): PlannedCall[] {
  const never = () => Promise.reject(new Error('no scenario of a 400 sends a call that succeeds'));
  const calls = ([400, 415, 422] as const).map((status) => GENERIC_SCENARIOS[status](operation, { document, success: never, send: never }));
  return calls.flat().map((call) => ({ operation, name: 'what is wrong', call, isValid: false }));
}

async function tryCall(spec: Witness, client: OperationClient, { operation, name, call, isValid }: PlannedCall): Promise<string[]> {
  const { id } = operation;
  const own = await client.send(id, { ...call, server: 'own' });
  const mock = await client.send(id, { ...call, server: 'mock' });
  const answers = Object.entries({ project: own, mock });
  const problems = answers.flatMap(([who, { status, text }]) => {
    // Nothing is written yet: a request that is valid arrives at its handler.
    const isReached = status === 410 || status === 501 || (who === 'mock' && status < 500);
    const isExpected = isValid ? isReached : status >= 400 && status < 500;
    return isExpected ? [] : [`the ${who} answers ${status}: ${text.slice(0, 300)}`];
  });
  // It says that it has no value of the schema, and to add an example.
  if (isValid && mock.status !== 410 && mock.status !== 501)
    problems.push(...spec.problems(id, mock).map((problem) => `the mock answers ${mock.status}: ${problem}`));
  return problems.map((problem) => `${id}, ${name}: ${problem}`);
}
