/** Whether a port is free, and which process listens on it if it is not. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

/** Whether a server could listen. @param host as in `server.listen`; `undefined` for all addresses. */
export function isPortFree(port: number, host: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    probe.listen({ port, exclusive: true, ...(host === undefined ? {} : { host }) }, () => probe.close(() => resolve(true)));
  });
}

/** The process that listens, and the command that stops it; without permission to see that, the command that shows it. */
export async function describeListener(port: number): Promise<string> {
  const listener = process.platform === 'linux' ? findOnLinux(port) : await findByLsof(port);
  if (listener !== undefined) return `${listener.command} (process ${listener.pid}) uses it: \`kill ${listener.pid}\` stops that`;
  if (process.platform === 'win32') return `\`netstat -ano | findstr :${port}\` shows the process that uses it`;
  if (process.platform === 'linux') return `\`sudo ss -ltnp 'sport = :${port}'\` shows the process that uses it`;
  return `\`sudo lsof -nP -iTCP:${port} -sTCP:LISTEN\` shows the process that uses it`;
}

interface Listener {
  readonly pid: number;
  readonly command: string;
}

const MAX_COMMAND_LENGTH = 60;
const shorten = (command: string) => (command.length > MAX_COMMAND_LENGTH ? `${command.slice(0, MAX_COMMAND_LENGTH - 1)}…` : command);

/** From proc(5), as neither lsof nor ss is installed everywhere. */
function findOnLinux(port: number): Listener | undefined {
  const LISTEN = '0A';
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readOr(() => readFileSync(file, 'utf8'), ''));
  const rows = tables.flatMap((text) => text.split('\n')).map((row) => row.trim().split(/\s+/));
  const sockets = new Set(rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === LISTEN).map((row) => `socket:[${row[9] ?? ''}]`));
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const descriptors = readOr(() => readdirSync(`/proc/${pid}/fd`), []);
    if (!descriptors.some((fd) => sockets.has(readOr(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '')))) continue;
    const command = readOr(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '')
      .replaceAll('\0', ' ')
      .trim();
    return { pid: Number(pid), command: shorten(command) };
  }
  return undefined;
}

/** A process of another user cannot be read, and one may end at any time. */
function readOr<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

async function findByLsof(port: number): Promise<Listener | undefined> {
  try {
    const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
    // eslint-disable-next-line specwright/linear-expression -- the output of lsof for one port
    const [, pid, command] = /^p(\d+)\n[^]*?^c(.*)$/m.exec(stdout) ?? [];
    return pid === undefined ? undefined : { pid: Number(pid), command: shorten(command ?? '') };
  } catch {
    return undefined;
  }
}
