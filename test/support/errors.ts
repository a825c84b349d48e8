/** Answers an AppError with its status and headers, for steps that are tested without the rest of the line. */
import type { ErrorRequestHandler } from 'express';
import { AppError } from '@specwright/server';

const STATUSES: Readonly<Record<string, number>> = { method_not_allowed: 405, not_found: 404 };

export const problemOf: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof AppError)) return next(error);
  response
    .status(STATUSES[error.code] ?? 400)
    .set(error.headers)
    .json({ code: error.code, message: error.message });
};
