/** What serves requests, from the moment that its options are checked: its pipeline is composed meanwhile, and the first requests wait for it. */
import { inBackground } from '@specwright/contract';
import { checkOptions } from './check-options.ts';
import type { PartOptions, Pipeline, PipelineParts } from './create-pipeline.ts';
import type { Listener } from './listener.ts';
import type { Scrape } from './ops/scrape.ts';
import type { UntypedService } from './options.ts';
import { hasStreamedBodies } from './pipeline/body/body-options.ts';
import type { RefuseSocket } from './pipeline/client-error.ts';
import { createExpressApp } from './pipeline/express-app.ts';
import { PartLifecycle } from './process/part-lifecycle.ts';
import { withRoot } from './services.ts';

/** After what a start has to do: the first requests are answered meanwhile, and compile what they need. */
const COMPILE_DELAY_MS = 250;

export class ServerCore {
  readonly expressApp = createExpressApp();
  readonly #options: PartOptions;
  readonly #services: readonly UntypedService[];
  readonly #lifecycle: PartLifecycle;
  readonly #closed = new AbortController();
  readonly #composing: Promise<Pipeline>;
  #pipeline: Pipeline | undefined = undefined;
  /** Serves a request; until the pipeline is composed, later. */
  handle: Listener = (request, response, next) => {
    const serve = ({ handle }: Pipeline) => !response.destroyed && handle(request, response, next);
    this.#composing.then(serve, (error: unknown) => {
      // As of a middleware that fails: the application answers, or there is none and it is a 500 without a contract.
      if (next !== undefined) return next(error);
      response.statusCode = 500;
      response.end();
    });
  };

  /** @param onFull called with each request of an operation that finds all slots taken. @throws ContractError as `createRequestHandler` does. */
  constructor(options: PartOptions, onFull: () => void = ignore) {
    const { log, readiness, parts = [] } = options;
    const services = (this.#services = withRoot(options.services ?? [options]));
    checkOptions(options, services);
    this.#options = options;
    options.routes?.(this.expressApp.app);
    const tools = services.map(({ contract }) => options.mcp?.(contract));
    if (options.mcp !== undefined && tools.every((some) => some?.operations.size === 0))
      log.warn({}, 'there are no tools, so nothing is at /mcp: add `x-mcp: true` to the operations that agents may call');
    this.#lifecycle = new PartLifecycle(parts, log, () => readiness?.stop?.());
    this.#composing = this.#compose(tools, onFull);
  }

  /** Starts the parts, now or when the server becomes ready for the first time. @param fail gets what a start has thrown. */
  startWhenReady(fail: (error: unknown) => void): void {
    const { readiness } = this.#options;
    const start = () => void this.#lifecycle.start().catch(fail);
    this.#composing.catch(fail);
    if (readiness?.onReady === undefined) start();
    else readiness.onReady(start);
  }

  /** Ends the streams of items, and the background work of parts. */
  readonly stop = (): void => {
    this.whenComposed(({ stop }) => stop());
    inBackground(this.#lifecycle.stop());
  };

  readonly close = async (): Promise<void> => {
    this.#closed.abort();
    await this.#composing.then((pipeline) => pipeline.close(), ignore);
    return this.#lifecycle.close();
  };

  readonly refuse: RefuseSocket = (error, socket) => this.whenComposed(({ refuse }) => refuse(error, socket));

  /** The text of `GET /metrics`, of a server that has it. */
  readonly scrape: Scrape = async () => (await this.#composing).scrape?.() ?? { type: 'text/plain', text: '' };

  /** How many more requests the server has time for; less than one in an overload. */
  readonly room = (): number => this.#pipeline?.room() ?? 1;

  whenComposed(run: (pipeline: Pipeline) => void): void {
    if (this.#pipeline !== undefined) run(this.#pipeline);
    else this.#composing.then(run, ignore);
  }

  /** Compiles all schemas in idle time, from soon on. */
  compileSoon(): void {
    const { background, log } = this.#options;
    if (background === false) return;
    const { signal } = this.#closed;
    const compile = async () => {
      await loadStreams(this.#services);
      for (const { contract } of this.#services) await contract.compileAhead(signal);
      // What is seldom, last: a connection is refused by its socket alone in an overload.
      if (!signal.aborted) await import('./pipeline/refuse-socket.ts');
    };
    const timer = setTimeout(() => inBackground(compile(), log, 'the schemas could not be compiled ahead'), COMPILE_DELAY_MS).unref();
    // A server that is closed before, as in a short test, loads nothing any more.
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  async #compose(tools: PipelineParts['tools'], onFull: () => void): Promise<Pipeline> {
    const { createPipeline } = await import('./create-pipeline.ts');
    const parts = { services: this.#services, expressApp: this.expressApp, lifecycle: this.#lifecycle, tools, onFull };
    const pipeline = (this.#pipeline = await createPipeline(this.#options, parts));
    this.handle = pipeline.handle;
    return pipeline;
  }
}

const ignore = () => undefined;

/** Loads the modules of streams for the contracts that have some, before a request needs them. */
async function loadStreams(services: readonly UntypedService[]): Promise<void> {
  const operations = services.flatMap(({ contract }) => contract.operations);
  if (operations.some(hasStreamedBodies)) await import('./pipeline/body/streamed-bodies.ts');
  if (operations.some(({ hasItems }) => hasItems)) await import('./pipeline/streams/send-streamed.ts');
}
