/** CPU of the server, its database and the sender, from `/proc`: on a machine that others use too, the clock alone tells nothing. */
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { TestDatabase } from 'specwright/testing';
import type { Server } from './pet-store.ts';

/** `USER_HZ` of Linux: how many ticks a second has in `/proc`. */
const TICKS_PER_SECOND = 100;

/** In s of one processor, but `othersShare`. */
export interface CpuUse {
  readonly elapsed: number;
  readonly server: number;
  readonly database: number;
  readonly sender: number;
  /** What processes that are not of the scenario have used, of all processors, from 0 to 1. */
  readonly othersShare: number;
}

interface Reading {
  readonly at: number;
  readonly server: number;
  readonly database: number;
  readonly sender: number;
  readonly busy: number;
}

/** @returns a function that tells what was used since it was last called. */
export async function startCpuClock(server: Server, { db }: TestDatabase): Promise<() => Promise<CpuUse>> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
  const postmaster = (await statOf(rows[0]?.pid ?? 0)).parent;
  const read = async (): Promise<Reading> => {
    const { user, system } = process.cpuUsage();
    return {
      at: performance.now(),
      server: (await statOf(server.process.child.pid ?? 0)).seconds,
      database: await secondsOfChildren(postmaster),
      sender: (user + system) / 1e6,
      busy: await busySeconds(),
    };
  };
  let last = await read();
  return async () => {
    const now = await read();
    const since = (name: keyof Reading) => now[name] - last[name];
    const [serverUse, database, sender] = [since('server'), since('database'), since('sender')];
    const elapsed = since('at') / 1000;
    const others = Math.max(0, since('busy') - serverUse - database - sender);
    last = now;
    return { elapsed, server: serverUse, database, sender, othersShare: Math.min(1, others / elapsed / availableParallelism()) };
  };
}

/** proc(5): the name of a process, in parentheses, may have any characters; fields 4, 14 and 15 are the parent, user and system time. */
async function statOf(pid: number): Promise<{ readonly parent: number; readonly seconds: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1] ?? 0), seconds: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND };
}

async function secondsOfChildren(parent: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(statOf));
  return stats.filter((stat) => stat.parent === parent).reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Of all processors: everything but idle, waiting for disks, and what is counted twice (guests). */
async function busySeconds(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softIrq + steal) / TICKS_PER_SECOND;
}
