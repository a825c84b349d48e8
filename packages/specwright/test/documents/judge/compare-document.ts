/** Compares our verdicts with the judge's on one document: of request and response validators, and of a mock, whose responses are judged too. */
import { parseStrictJson, validateRequest, validateResponse, type Contract } from '@specwright/contract';
import {
  createOperationClient,
  createTestLog,
  createWitness,
  listenOnFreePort,
  type HttpResponse,
  type OperationClient,
} from 'specwright/testing';
import { createMockServer } from '../../../src/mock/mock-server.ts';
import { hostilePlaces, isExactJson } from './hostile-places.ts';
import type { DrawnPlace, JudgedValue, Place, PythonJudge } from './python-judge.ts';

/** Values of each schema that are sent to the mock as well. */
const SENT_PER_SCHEMA = 6;

export interface Difference extends JudgedValue {
  readonly who: 'request' | 'response' | 'mock' | 'response of the mock';
  readonly isAccepted: boolean;
  readonly ours: readonly string[];
  readonly judge: readonly string[];
  /** The documented rule that explains it. */
  readonly rule: string | null;
}

export interface Comparison {
  readonly counts: Readonly<Record<'requests' | 'responses' | 'sent' | 'received', number>>;
  /** How many of the requests and responses are valid. */
  readonly valid: number;
  readonly differences: readonly Difference[];
}

type Unexplained = Omit<Difference, 'rule'>;

export interface CompareOptions {
  readonly file: string;
  readonly name: string;
  /** How many values are drawn. */
  readonly count: number;
  /** Whether properties of drawn bodies get hostile values, which are compared in place of those that were drawn. */
  readonly isHostile: boolean;
}

export async function compareDocument(judge: PythonJudge, { file, name, count, isHostile }: CompareOptions): Promise<Comparison> {
  const { server, contract } = await createMockServer(file, { log: createTestLog([]) });
  await judge.open(contract.published);
  const drawn = await judge.draw(count, name);
  const places = isHostile ? await hostilePlaces(judge, drawn) : drawn;
  const found = (await Promise.all(places.map(async (place) => compareValues(contract, place)))).flat();
  const mock = await listenOnFreePort(server);
  try {
    const client = createOperationClient({
      spec: createWitness(contract.published, { undeclaredHeaders: 'all' }),
      servers: { mock: mock.url },
    });
    const { sent, received, differences } = await compareMock(judge, contract, places, client, isHostile ? Infinity : SENT_PER_SCHEMA);
    const all = [...found, ...differences];
    const rules = await explain(judge, all);
    const sizeOf = (isRequest: boolean): number =>
      places.filter(({ status }) => (status === '') === isRequest).reduce((sum, { values }) => sum + values.length, 0);
    return {
      counts: { requests: sizeOf(true), responses: sizeOf(false), sent, received },
      valid: places.flatMap(({ values }) => values).filter(({ errors }) => errors.length === 0).length,
      differences: all.map((difference, i) => ({ ...difference, rule: rules[i] ?? null })),
    };
  } finally {
    await mock.close();
  }
}

async function compareValues(contract: Contract, place: DrawnPlace): Promise<Unexplained[]> {
  const id = idOf(contract, place);
  const differences: Unexplained[] = [];
  for (const { text, errors } of place.values) {
    const ours = place.status === '' ? await requestProblems(contract, id, place, text) : responseProblems(contract, id, place, text);
    if ((ours.length === 0) !== (errors.length === 0))
      differences.push({
        ...whereOf(place),
        text,
        who: place.status === '' ? 'request' : 'response',
        isAccepted: ours.length === 0,
        ours,
        judge: errors,
      });
  }
  return differences;
}

const whereOf = ({ path, method, status, type, pointer }: Place): Place => ({ path, method, status, type, pointer });

function idOf({ operations }: Contract, { path, method }: Place): string {
  const operation = operations.find((one) => one.path === path && one.method.toLowerCase() === method);
  if (operation === undefined) throw new Error(`the contract has no ${method} ${path}`);
  return operation.id;
}

/** Of the body: what is wrong with parameters, which are not sent, is left out. */
async function requestProblems(contract: Contract, id: string, { type }: Place, text: string): Promise<string[]> {
  const { value, problem } = parseStrictJson(text, () => false);
  if (problem !== undefined) return [`body: ${problem.kind}`];
  const { problems } = await validateRequest(contract, id, { body: value, type });
  return problems.filter(({ location }) => /^body\b/.test(location)).map(({ location, message }) => `${location} ${message}`);
}

function responseProblems(contract: Contract, id: string, { status, type }: Place, text: string): string[] {
  const problems = validateResponse(contract, id, { status: codeOf(status), type, body: JSON.parse(text) as unknown });
  return problems.filter((problem) => problem.startsWith('response/body'));
}

/** A status that a response of the contract is for. */
const codeOf = (status: string): number => (status === 'default' ? 599 : Number(status.replace(/XX$/i, '99')));

/** @returns for each the documented rule; the judge is not asked of texts that it would read as something else. */
async function explain(judge: PythonJudge, differences: readonly Unexplained[]): Promise<(string | null)[]> {
  const rules = await judge.explain(differences.filter(({ text }) => isExactJson(text)));
  return differences.map(({ text }) => (isExactJson(text) ? (rules.shift() ?? null) : null));
}

async function compareMock(
  judge: PythonJudge,
  contract: Contract,
  places: readonly DrawnPlace[],
  client: OperationClient,
  perSchema: number,
) {
  const differences: Unexplained[] = [];
  const received: (JudgedValue & { readonly ours: string })[] = [];
  let sent = 0;
  const responses = new Map<string, Place[]>();
  for (const place of places.filter(({ status }) => status !== '')) {
    const id = idOf(contract, place);
    responses.set(id, [...(responses.get(id) ?? []), place]);
  }
  const receive = (id: string, { status, text, headers }: HttpResponse): void => {
    const declared = responses.get(id)?.filter(({ type }) => headers.get('content-type')?.split(';')[0] === type.split(';')[0]) ?? [];
    const place = [String(status), `${Math.floor(status / 100)}XX`, 'default'].flatMap((key) =>
      declared.filter((one) => one.status === key),
    )[0];
    if (place !== undefined && text !== '') received.push({ ...whereOf(place), text, ours: `sent with ${status}` });
  };
  for (const [id, declared] of responses)
    for (const { status } of declared) {
      receive(id, await client.send(id, { headers: { Prefer: `code=${codeOf(status)}` } }));
      sent += 1;
    }
  for (const place of places.filter(({ status }) => status === '')) {
    const id = idOf(contract, place);
    const step = Math.max(1, Math.floor(place.values.length / perSchema));
    for (const { text, errors } of place.values.filter((_, i) => i % step === 0)) {
      const response = await client.send(id, { raw: text, headers: { 'Content-Type': place.type } });
      sent += 1;
      receive(id, response);
      const isAccepted = response.status < 400 || response.status === 501;
      if (isAccepted !== (errors.length === 0) && (isAccepted || /body/.test(response.text)))
        differences.push({
          ...whereOf(place),
          text,
          who: 'mock',
          isAccepted,
          ours: [`${response.status} ${response.text.slice(0, 300)}`],
          judge: errors,
        });
    }
  }
  const verdicts = await judge.judge(received);
  received.forEach(({ ours, ...value }, i) => {
    const errors = verdicts[i] ?? [];
    if (errors.length > 0) differences.push({ ...value, who: 'response of the mock', isAccepted: true, ours: [ours], judge: errors });
  });
  return { sent, received: received.length, differences };
}
