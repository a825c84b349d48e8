/** A server of the tool shed in memory, which breaks one rule of the contract walk at a time. */
import http from 'node:http';
import { createOperationClient, createWitness, listenOnFreePort, withApp, type Call } from 'specwright/testing';
import type { Json } from '../../src/testing/contract/document.ts';
import type { Walk } from '../../src/testing/contract/walk-options.ts';
import { TOOL_SHED } from './tool-shed-contract.ts';

/** What the server does wrong. */
export type Fault =
  | 'filter ignored'
  | 'filter inverted'
  | 'list empty'
  | 'filter lost by the link'
  | 'no link'
  | 'link elsewhere'
  | 'link to itself'
  | 'limit ignored'
  | 'record skipped'
  | 'record repeated'
  | 'link at the end'
  | 'location elsewhere'
  | 'location of another'
  | 'no location'
  | 'reference unchecked'
  | 'reference 500'
  | 'omitted kept'
  | 'precondition ignored'
  | 'precondition too late'
  | 'precondition always fails'
  | 'tag kept'
  | 'deletion ignored'
  | 'deletion of all'
  | 'deleted listed'
  | 'all accounts read'
  | 'all accounts list'
  | 'in use 500'
  | 'in use undeclared'
  | 'in use gone'
  | 'edge 500'
  | 'repeated 500';

interface Tool {
  readonly record: Json;
  readonly version: number;
  readonly owner: string;
  readonly deleted?: boolean;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Request {
  readonly method: string;
  readonly url: URL;
  readonly body: Json;
  readonly key: string;
  readonly ifMatch: string | undefined;
}

export const toolShed = createWitness(TOOL_SHED);

export function withToolShed() {
  const state: { fault?: Fault | undefined; unwritten: string[] } = { unwritten: [] };
  const tools = new Map<number, Tool>();
  const shelves: number[] = [];
  const deletedShelves = new Set<number>();
  const has = (fault: Fault) => state.fault === fault;
  const tagOf = ({ version }: Tool) => `"${has('tag kept') ? 1 : version}"`;
  const show = (tool: Tool, status = 200): Answer => ({ status, body: tool.record, headers: { ETag: tagOf(tool) } });

  function list({ url, key }: Request): Answer {
    const { searchParams: query } = url;
    const [after, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 20)];
    if (limit > 50) return { status: 400 };
    const matches = ({ record }: Tool) => {
      const same = (name: string, values: readonly string[]) => values.length === 0 || values.includes(String(record[name]));
      const isAsked = same('status', query.getAll('status')) && same('shelfId', query.getAll('shelfId'));
      const isFound = String(record['name'])
        .toLowerCase()
        .includes((query.get('name') ?? '').toLowerCase());
      return has('filter ignored') || ((has('filter inverted') ? !isAsked : isAsked) && isFound);
    };
    const isListed = (tool: Tool) =>
      (tool.owner === key || has('all accounts list')) && (!tool.deleted || has('deleted listed')) && matches(tool);
    const rest = [...tools].filter(([id, tool]) => id > after + (has('record skipped') && after > 0 ? 1 : 0) && isListed(tool));
    const page = rest.slice(0, has('limit ignored') ? 50 : limit);
    const last = page.at(-1)?.[0] ?? 0;
    const next = new URLSearchParams(has('filter lost by the link') ? { limit: String(limit) } : query);
    next.set('cursor', String(has('record repeated') ? last - 1 : last));
    const path = has('link elsewhere') ? '/shelves' : '/v1/tools';
    const target = has('link to itself') ? url.search : `${path}?${next.toString()}`;
    const isLinked = !has('no link') && (page.length < rest.length || has('link at the end'));
    return {
      status: 200,
      body: has('list empty') ? [] : page.map(([, { record }]) => record),
      headers: isLinked ? { Link: `<https://example.com/>; rel="start", <${target}>; rel="next"` } : {},
    };
  }

  function create({ body, key }: Request): Answer {
    const id = tools.size + 1;
    const made = { record: { status: 'new', ...body, id }, version: 1, owner: key };
    tools.set(id, made);
    const location = has('location elsewhere') ? `/tool/${id}` : `/tools/${has('location of another') ? 1 : id}`;
    return { ...show(made, 201), headers: has('no location') ? {} : { Location: location } };
  }

  function change(id: number, tool: Tool, { method, body, ifMatch }: Request): Answer {
    const fails = ifMatch !== undefined && (has('precondition always fails') || (ifMatch !== '*' && ifMatch !== tagOf(tool)));
    if (fails && !has('precondition ignored') && !has('precondition too late')) return { status: 412 };
    const kept = has('omitted kept') ? tool.record : {};
    const record = { ...kept, status: 'new', ...body, id };
    const changed = method === 'PUT' ? { ...tool, record, version: tool.version + 1 } : { ...tool, deleted: !has('deletion ignored') };
    tools.set(id, changed);
    if (method === 'DELETE' && has('deletion of all')) for (const [other, one] of tools) tools.set(other, { ...one, deleted: true });
    if (fails && has('precondition too late')) return { status: 412 };
    return method === 'PUT' ? show(changed) : { status: 204 };
  }

  function deleteShelf(id: number): Answer {
    const isInUse = [...tools.values()].some(({ record, deleted }) => record['shelfId'] === id && !deleted);
    if (!isInUse || has('in use gone')) deletedShelves.add(id);
    if (!isInUse) return { status: 204 };
    return { status: has('in use 500') ? 500 : has('in use undeclared') ? 422 : 409 };
  }

  /** What a table does not hold, though the contract has it. */
  const isUnstorable = ({ method, body }: Request): boolean => {
    const isEdge = [body['note'], body['name']].some((text) => typeof text === 'string' && (text.includes('\0') || text.length > 1000));
    const isSame = ({ record }: Tool) => record['name'] === body['name'] && record['shelfId'] === body['shelfId'];
    return method !== 'GET' && ((has('edge 500') && isEdge) || (has('repeated 500') && [...tools.values()].some(isSame)));
  };

  function answer(request: Request): Answer {
    const { method, url, body, key } = request;
    const [, noun, id] = url.pathname.split('/');
    if (noun === 'shelves' && method === 'POST') return { status: 201, body: { id: shelves.push(shelves.length + 1) } };
    const hasShelf = (shelf: number) => shelves.includes(shelf) && !deletedShelves.has(shelf);
    if (noun === 'shelves' && method === 'DELETE' && hasShelf(Number(id))) return deleteShelf(Number(id));
    if (noun === 'shelves') return hasShelf(Number(id)) ? { status: 200, body: { id: Number(id) } } : { status: 404 };
    if (id === undefined && method === 'GET') return list(request);
    const isUnknown = body['shelfId'] !== undefined && !hasShelf(Number(body['shelfId']));
    if (isUnknown && !has('reference unchecked')) return { status: has('reference 500') ? 500 : 400 };
    if (isUnstorable(request)) return { status: 500 };
    if (id === undefined) return create(request);
    const tool = tools.get(Number(id));
    if (tool === undefined || tool.deleted || (tool.owner !== key && !has('all accounts read'))) return { status: 404 };
    return method === 'GET' ? show(tool) : change(Number(id), tool, request);
  }

  const app = withApp(() =>
    listenOnFreePort(
      http.createServer(async (request, response) => {
        let text = '';
        for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
        const { method = '', url = '', headers } = request;
        const body = (text === '' ? {} : JSON.parse(text)) as Json;
        const isUnwritten = state.unwritten.includes(`${method} ${url.split('/')[1]?.split('?')[0] ?? ''}`);
        const given = isUnwritten
          ? { status: 501 }
          : answer({ method, url: new URL(url, 'http://localhost'), body, key: String(headers['x-key']), ifMatch: headers['if-match'] });
        const type = given.body === undefined ? {} : { 'Content-Type': 'application/json' };
        response.writeHead(given.status, { ...type, ...given.headers });
        response.end(given.body === undefined ? undefined : JSON.stringify(given.body));
      }),
    ),
  );

  const clientOf = (key: string) => createOperationClient({ spec: toolShed, servers: { live: app.url }, credentials: () => key });
  const make = async (id: string, call: Call = {}): Promise<number> =>
    (JSON.parse((await clientOf('ada').send(id, call)).text) as { id: number }).id;
  const newTool = async () => ({ name: 'Saw', shelfId: await make('addShelf') });
  const path = async () => ({ toolId: await make('addTool', { body: await newTool() }) });
  const scenarios: Record<string, () => Promise<readonly Call[]>> = {
    'addShelf 201': async () => [{}],
    'readShelf 200': async () => [{ path: { id: await make('addShelf') } }],
    'deleteShelf 204': async () => [{ path: { id: await make('addShelf') } }],
    'listTools 200': async () => [{}],
    'addTool 201': async () => [{ body: await newTool() }],
    'readTool 200': async () => [{ path: await path() }],
    'replaceTool 200': async () => [{ path: await path(), body: await newTool() }],
    'deleteTool 204': async () => [{ path: await path() }],
  };
  const walk = (more: Partial<Walk<object>> = {}): Walk<object> => ({
    spec: toolShed,
    client: clientOf('ada'),
    otherClient: clientOf('bob'),
    world: {},
    scenarioFor: ({ id }, status) => scenarios[`${id} ${status}`],
    scenariosFile: 'scenarios.ts',
    exemptions: {
      'readShelf other account': 'all accounts share the shelves',
      'deleteShelf other account': 'all accounts share the shelves',
    },
    exemptionsFile: 'exemptions.json',
    ...more,
  });
  return { state, tools, scenarios, walk };
}
