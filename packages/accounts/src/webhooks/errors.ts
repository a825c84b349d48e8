/** The errors of webhooks. */
import { AppError, type FrameworkErrorCode } from '@specwright/server';

/** Error codes of this package and their HTTP statuses: a service adds them to its own. */
export const WEBHOOK_ERRORS = { invalid_webhook_url: 400 } as const;

/** An `AppError` that takes only codes of this package and of the framework. */
export const WebhookError = AppError<FrameworkErrorCode | keyof typeof WEBHOOK_ERRORS>;
