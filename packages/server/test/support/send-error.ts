/** Sends an AppError with its status and headers, for steps that are tested without the rest of the pipeline. */
import type { ErrorRequestHandler } from 'express';
import { FRAMEWORK_ERRORS, isAppError, type FrameworkErrorCode } from '@specwright/contract/runtime';

export const sendError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!isAppError(error)) return next(error);
  response
    .status(FRAMEWORK_ERRORS[error.code as FrameworkErrorCode])
    .set(error.headers)
    .json({ code: error.code, message: error.message });
};
