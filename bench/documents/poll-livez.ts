/** Requests `/livez` of a port every 5 ms, whether the last one was answered or not; answers a message with the longest wait, in ms. */
import { Agent, get } from 'node:http';

const INTERVAL_MS = 5;
const [port = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const underWay = new Set<number>();
let longest = 0;

function request(done: () => void): void {
  const start = performance.now();
  underWay.add(start);
  const end = () => {
    underWay.delete(start);
    longest = Math.max(longest, performance.now() - start);
    done();
  };
  get({ host: '127.0.0.1', port, path: '/livez', agent }, (response) => response.resume().once('end', end)).once('error', end);
}

// The first one is not counted: this process is still loading what it needs.
request(() => {
  longest = 0;
  setInterval(request, INTERVAL_MS, () => undefined);
  process.send?.(0);
});
// Those that still wait count as far as they have waited.
process.on('message', () => process.send?.(Math.max(longest, ...[...underWay].map((start) => performance.now() - start))));
