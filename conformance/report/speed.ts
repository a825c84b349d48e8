/**
 * `npm run ts -- conformance/report/speed.ts`: the processor time of each server for a request over loopback, in one run, to report/speed.json. Linux only: it reads /proc.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, readAdapter, serve } from './adapter.ts';
import type { Case } from '../src/case.ts';
import { GROUPS } from '../src/groups.ts';
import { isEnough } from '../src/send.ts';
import { readRecorded } from './recorded.ts';

export interface Speed {
  readonly date: string;
  readonly machine: string;
  readonly servers: readonly { readonly title: string; readonly figures: readonly Figure[] }[];
}

interface Figure {
  readonly what: string;
  /** Of processor time of the server for a request, user and system; `null` if it does not keep the case. */
  readonly microseconds: number | null;
}

const CONFORMANCE = fileURLToPath(new URL('..', import.meta.url));
const TICKS_PER_SECOND = 100;
const CONNECTIONS = 8;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 4_000;

const MEASURED: readonly { readonly what: string; readonly id: string }[] = [
  { what: 'GET, a number in the query', id: 'parameters/query-integer/a-number' },
  { what: 'GET, refused', id: 'parameters/query-integer/above-the-maximum' },
  { what: 'POST, a JSON body', id: 'schemas-3.0/properties-1/both-properties-present-and-valid-is-valid' },
];

const servers: Speed['servers'][number][] = [];
const recorded = readRecorded(join(CONFORMANCE, 'results'));
const failed = (name: string, id: string): boolean =>
  recorded
    .get(name)
    ?.groups.some(
      (group) => group.failures.some((failure) => failure.id === id) || (id.startsWith(`${group.group}/`) && group.cases === 0),
    ) ?? true;

for (const name of recorded.keys()) {
  const adapter = readAdapter(join(CONFORMANCE, 'adapters', name));
  install(adapter);
  const figures: Figure[] = [];
  for (const { what, id } of MEASURED) figures.push({ what, microseconds: failed(name, id) ? null : await measure(id) });
  servers.push({ title: adapter.title, figures });
  console.log(name, figures.map(({ microseconds }) => microseconds ?? '-').join(' '));

  async function measure(id: string): Promise<number> {
    const group = GROUPS.find(({ cases }) => cases.some((one) => one.id === id));
    const tried = group?.cases.find((one) => one.id === id);
    if (group === undefined || tried === undefined) throw new Error(`there is no case ${id}`);
    return serve(adapter, group, ({ base, pid }) => costOf(Number(base.port), pid, tried));
  }
}
const speed: Speed = {
  date: new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
  machine: `${cpus().length} cores, Node ${process.versions.node}, ${CONNECTIONS} connections over loopback`,
  servers,
};
writeFileSync(join(CONFORMANCE, 'report/speed.json'), `${JSON.stringify(speed, null, 1)}\n`);

/** In microseconds. */
async function costOf(port: number, group: number, { request }: Case): Promise<number> {
  await load(port, request, WARM_UP_MS);
  const before = ticksOf(group);
  const requests = await load(port, request, MEASURED_MS);
  return Math.round(((ticksOf(group) - before) / TICKS_PER_SECOND / requests) * 1e6);
}

/** How many requests were answered in a time, each connection sending the next one when it has its answer. */
async function load(port: number, request: string, milliseconds: number): Promise<number> {
  const bytes = Buffer.from(request.replace('Connection: close\r\n', ''), 'latin1');
  const end = performance.now() + milliseconds;
  let answered = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      let received: Buffer[] = [];
      socket.write(bytes);
      socket.on('data', (chunk) => {
        received.push(chunk);
        if (!isEnough(Buffer.concat(received), false)) return;
        received = [];
        answered++;
        if (performance.now() < end) socket.write(bytes);
        else socket.destroy();
      });
      await once(socket, 'close');
    }),
  );
  return answered;
}

/** The processor time of a process and what it has started, in ticks. */
function ticksOf(group: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /u, '')
        .split(' ');
      if (Number(fields[2]) === group) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }
  return ticks;
}
