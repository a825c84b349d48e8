/** The public API of `@specwright/contract/runtime`: what the parts of a service share, with a server or without one. It loads no document. */

// ---- Errors --------------------------------------------------------------------------------------------------------

export {
  AppError,
  codeOfStatus,
  FRAMEWORK_ERRORS,
  FrameworkError,
  isAppError,
  type AppErrorOptions,
  type ErrorStatuses,
  type FrameworkErrorCode,
} from './app-error.ts';
export type { ErrorProblem } from '../responses/error-values.ts';

// ---- Time ----------------------------------------------------------------------------------------------------------

export { Deadlines, type Timed } from './deadlines.ts';
export { afterPause, checkPause, onPause } from './pauses.ts';
export { inBackground, isThenable } from '../promises.ts';
export { repeatInBackground } from './repeat.ts';

// ---- Records, and what may be run again ----------------------------------------------------------------------------

export { requireVersion, type Page, type Precondition, type Stored } from './record.ts';
export type { Repeatable } from './repeatable.ts';
export { remember } from '../remember.ts';
export { requireLibrary } from './require-library.ts';

// ---- Metrics, traces, messages -------------------------------------------------------------------------------------

export { byLabel, counter, gauge, type Metric, type MetricSource, type MetricValue } from './metric.ts';
export { isTelemetryRegistered } from './telemetry.ts';
export { print, printCommands, printError, printText } from './print.ts';
