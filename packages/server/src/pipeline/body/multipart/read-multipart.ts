/** Reads a body of multipart/form-data: its fields before the handler is called, its files then or after. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { Field, MultipartParts, UploadedFile, UploadedFiles } from '@specwright/contract';
import type { Sets } from '../../exchange.ts';
import type { BodyBudget } from '../body-budget.ts';
import { FieldsLength, FileRules } from './file-rules.ts';
import { invalidPart, type PartHead } from './part-headers.ts';
import { boundaryOf, PartReader } from './part-reader.ts';
import { SpooledFiles } from './spooled-files.ts';
import { streamFiles } from './streamed-files.ts';

/** Fields are held in memory, and are seldom large: 1 MiB. */
export const MAX_FIELDS_BYTES = 1024 * 1024;

export interface MultipartOptions {
  readonly parts: MultipartParts;
  readonly maxFieldsBytes: number;
  readonly budget: BodyBudget;
  /** Of bytes on disk. */
  readonly spoolBudget: BodyBudget;
  /** The most bytes of the body. */
  readonly maxBytes: number;
}

/**
 * Reads the body up to its first file, or all of it if files are spooled.
 *
 * @param source the body, decompressed. @throws AppError invalid_request for what is not declared or malformed; body_too_large; what the source fails with.
 */
export async function readMultipart(
  exchange: Sets<'body' | 'files' | 'bodyError'>,
  source: Readable,
  options: MultipartOptions,
): Promise<void> {
  const { parts, maxFieldsBytes, budget } = options;
  const { bodyLease, response } = exchange;
  const reader = new PartReader(source, boundaryOf(exchange.request.headers['content-type'] ?? ''), (error) => {
    exchange.bodyError = error;
    source.destroy(error);
  });
  const rules = new FileRules(parts);
  const length = new FieldsLength(maxFieldsBytes);
  const fields: Field[] = [];
  const spooled = parts.isSpooled ? new SpooledFiles(reader, rules, exchange, options) : undefined;
  if (spooled !== undefined)
    response.once(
      'close',
      () => void spooled.close().catch((err: unknown) => exchange.log.warn({ err }, 'a temporary file was not closed')),
    );

  const acquire = async (bytes: number): Promise<void> => {
    length.add(bytes);
    if (bodyLease !== undefined) await budget.acquire(bodyLease, bytes);
  };
  let head: PartHead | undefined;
  try {
    for (head = await reader.next(); head !== undefined; head = await reader.next()) {
      if (!rules.isFile(head)) fields.push({ name: head.name, type: head.type, text: await readText(reader, head, acquire) });
      else if (spooled === undefined) break;
      else await spooled.add(head);
    }
    assertFieldsFirst(parts, fields, head);
    // Without a first file there are no others.
    if (head === undefined) rules.end();
    spooled?.complete();
  } catch (error) {
    await spooled?.close();
    throw error;
  }
  // The client went away meanwhile: nobody else would close them.
  if (response.destroyed) await spooled?.close();
  exchange.body = fields;
  if (parts.files.size > 0) exchange.files = spooled?.files ?? streamFiles(reader, rules, head);
}

/** The validator would say that a field is missing, which may only come too late. @throws AppError invalid_request */
function assertFieldsFirst({ requiredFields }: MultipartParts, fields: readonly Field[], file: PartHead | undefined): void {
  if (file === undefined) return;
  const missing = requiredFields.filter((required) => !fields.some(({ name }) => name === required));
  if (missing.length === 0) return;
  const problems = missing.map((name) => `body/${name} is required before the file ${file.name}`).join('; ');
  throw invalidPart(`${problems}: send fields before files, which are read as they arrive`);
}

/** The files of a request whose body is none, or of another type. */
export const noFiles = ({ isSpooled }: MultipartParts): UploadedFiles => (isSpooled ? [] : { [Symbol.asyncIterator]: () => NO_FILES });

const NO_FILES: AsyncIterator<UploadedFile> = { next: () => Promise.resolve({ done: true, value: undefined }) };

async function readText(reader: PartReader, { name }: PartHead, acquire: (bytes: number) => Promise<void>): Promise<string> {
  const chunks: Buffer[] = [];
  for (let bytes = await reader.read(); bytes !== undefined; bytes = await reader.read()) {
    await acquire(bytes.length);
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks);
  if (!isUtf8(text)) throw invalidPart(`body/${name} is not UTF-8`);
  return text.toString();
}
