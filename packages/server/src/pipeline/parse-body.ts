/** Pipeline step: reads and parses the body, after the steps that may refuse the caller. */
import express, { type Request, type RequestHandler } from 'express';
import type { Operation } from '../contract/operation-table.ts';
import { bodyKind, declaredType, type BodyKind } from '../contract/media-types.ts';
import { FrameworkError } from '../errors.ts';
import { operationOf } from './exchange.ts';

/** The largest body, in bytes after decompression. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * For operations with a `requestBody`. The media type must be one that the operation declares; JSON must be UTF-8 (RFC 8259,
 * section 8.1), and so must other text. Any other body is passed on as bytes.
 *
 * @throws AppError unsupported_content_type, body_too_large, invalid_json, invalid_request for a required body of no bytes.
 */
export function parseBody(operation: Operation): RequestHandler[] {
  return [requireDeclaredType(operation), express.raw({ type: () => true, limit: MAX_BODY_BYTES }), parse];
}

function requireDeclaredType(operation: Operation): RequestHandler {
  const types = operation.body?.types ?? [];
  const required = operation.body?.required ?? false;
  return (request, _response, next) => {
    const { exchange } = request;
    if (!hasBody(request)) {
      if (required) throw new FrameworkError('invalid_request', 'body is required');
      return next();
    }
    const contentType = request.headers['content-type'];
    const type = declaredType(types, contentType ?? '');
    if (type === undefined || (bodyKind(type) !== 'bytes' && !isUtf8(contentType ?? ''))) {
      const message = `header/Content-Type must be ${types.join(' or ')}${contentType === undefined ? '' : `, not ${contentType.slice(0, 200)}`}`;
      throw new FrameworkError('unsupported_content_type', message);
    }
    // As the contract spells it: the validator must not cache what clients invent.
    exchange.type = type;
    next();
  };
}

/** RFC 9112, section 6.3: without either field a request has no body. */
function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function isUtf8(type: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)"?/i.exec(type)?.[1];
  return charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase());
}

const parse: RequestHandler = (request, _response, next) => {
  const { exchange } = request;
  const bytes: unknown = request.body;
  // A chunked body may have no bytes.
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
    if (operationOf(request).body?.required) throw new FrameworkError('invalid_request', 'body is required');
    delete exchange.type;
    return next();
  }
  exchange.body = decodeBody(bytes, bodyKind(exchange.type ?? ''));
  next();
};

/** JSON as its value, text and forms as a string, anything else as bytes. */
function decodeBody(bytes: Buffer, kind: BodyKind): unknown {
  if (kind === 'bytes') return bytes;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FrameworkError(kind === 'json' ? 'invalid_json' : 'invalid_request', 'body is not UTF-8', { cause });
  }
  return kind === 'json' ? parseJson(text) : text;
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new FrameworkError('invalid_json', `body is not JSON: ${(cause as Error).message.replace(/[\p{Cc}]/gu, ' ').slice(0, 300)}`, {
      cause,
    });
  }
  // An escaped half of a surrogate pair is valid JSON, but no Unicode text, so it cannot be stored (RFC 7493, section 2.1).
  if (/\\ud[89a-f]/i.test(text)) {
    JSON.parse(text, (name, part: unknown) => {
      if (!name.isWellFormed() || (typeof part === 'string' && !part.isWellFormed()))
        throw new FrameworkError('invalid_json', 'body has an unpaired surrogate');
      return part;
    });
  }
  return value;
}
