/**
 * What a scenario of `npm run ts -- test/chaos/run.ts` exports.
 *
 * To add one, write `test/chaos/<name>.ts` with `export const scenario: Scenario = { ... }`: the runner finds it by its file name.
 * `run` breaks something and calls `measure` once for each figure, as soon as it is known. A figure that is not within what is
 * allowed fails the run, unless the machine was too busy to tell (`othersShare`), and so does an error or the end of `timeoutMs`. What is started is ended by `context.defer`;
 * `support/pet-store.ts` (databases, server processes, accounts) does that by itself. HTTP without retries (`createLoadClient`), silent
 * networks (`startTcpProxy`) and percentiles are in `test/support/tools`.
 */

/** What a figure must be; without either it is shown and never fails. */
export interface Allowed {
  readonly max?: number;
  readonly min?: number;
}

export interface Figure extends Allowed {
  /** What was measured, in a few words. */
  readonly measured: string;
  readonly value: number;
  /** Such as `ms` or `%`; a count has none. */
  readonly unit?: string;
  /**
   * The share of all processors that other processes have used meanwhile, from 0 to 1 (`CpuUse.othersShare`), for figures that a busy
   * machine makes worse. One that is not allowed is `not measurable at this load` if they used more than `MAX_OTHERS_SHARE`.
   */
  readonly othersShare?: number;
}

export const MAX_OTHERS_SHARE = 0.15;

export interface ScenarioContext {
  /** Reports a figure. */
  readonly measure: (figure: Figure) => void;
  /** Says what the scenario is doing, on a terminal. */
  readonly progress: (text: string) => void;
  /** Registers what ends something that was started. The last one registered runs first, however the scenario ends. */
  readonly defer: (cleanUp: () => unknown) => void;
  /** Aborted when the time of the scenario is over. */
  readonly signal: AbortSignal;
  /** `--rounds`, or the usual ones of the scenario; 1 for one that repeats nothing. */
  readonly rounds: number;
  /** `--checkout`: the folder of another version of the project, whose server is to be measured. */
  readonly checkout: string | undefined;
}

export interface Scenario {
  /** What is broken, in one line. */
  readonly summary: string;
  /** How long it may take, in ms, with its usual `rounds`; it fails after that. */
  readonly timeoutMs: number;
  /** How often it repeats something by default. With more rounds it has more time. */
  readonly rounds?: number;
  readonly run: (context: ScenarioContext) => Promise<void>;
}
