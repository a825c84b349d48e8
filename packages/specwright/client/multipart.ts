/** Writes bodies of multipart/form-data: fields, and files from a `Blob`, a `File` or a stream (RFC 7578). */
import { encodePart } from '@specwright/contract/document';
import { chunksOf, streamBody } from './streamed.ts';
import type { StreamedFile, WrittenBody } from './types.ts';

interface Part {
  readonly head: string;
  readonly content: string | Blob | AsyncIterable<Uint8Array>;
}

/**
 * Fields come before files, which a server may hand on while they arrive.
 *
 * @param types the media types of properties that the contract declares some for. @returns the body, and its Content-Type.
 */
export async function writeMultipart(body: object, types: Readonly<Record<string, string>> = {}): Promise<WrittenBody & { type: string }> {
  const parts = Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((item) =>
      toPart(name, item, Object.hasOwn(types, name) ? types[name] : undefined),
    ),
  );
  const ordered = [
    ...parts.filter(({ content }) => typeof content === 'string'),
    ...parts.filter(({ content }) => typeof content !== 'string'),
  ];
  // Neither the boundary nor anything like it is in a file by chance.
  const boundary = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const type = `multipart/form-data; boundary=${boundary}`;
  const end = `--${boundary}--\r\n`;
  if (ordered.every(({ content }) => typeof content === 'string' || content instanceof Blob)) {
    // A Blob of files does not read them.
    const pieces = ordered.flatMap(({ head, content }) => [`--${boundary}\r\n${head}\r\n\r\n`, content as string | Blob, '\r\n']);
    return { body: new Blob([...pieces, end]), type };
  }
  return { ...(await streamBody(pieces(ordered, boundary, end))), type };
}

async function* pieces(parts: readonly Part[], boundary: string, end: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const { head, content } of parts) {
    yield encoder.encode(`--${boundary}\r\n${head}\r\n\r\n`);
    if (typeof content === 'string') yield encoder.encode(content);
    else yield* content instanceof Blob ? chunksOf(content.stream()) : content;
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(end);
}

function toPart(name: string, value: unknown, type: string | undefined): Part[] {
  if (value === undefined || value === null) return [];
  const disposition = `Content-Disposition: form-data; name="${escape(name)}"`;
  if (value instanceof Blob) {
    const filename = 'name' in value && typeof value.name === 'string' ? value.name : 'blob';
    return [filePart(disposition, filename, value.type || type, value)];
  }
  if (isStreamed(value)) return [filePart(disposition, value.filename ?? 'blob', value.type ?? type, chunksOf(value.stream))];
  const part = encodePart(value, type);
  return [{ head: part.type === undefined ? disposition : `${disposition}\r\nContent-Type: ${part.type}`, content: part.text }];
}

const filePart = (disposition: string, filename: string, type: string | undefined, content: Part['content']): Part => ({
  head: `${disposition}; filename="${escape(filename)}"\r\nContent-Type: ${type ?? 'application/octet-stream'}`,
  content,
});

const isStreamed = (value: unknown): value is StreamedFile =>
  typeof value === 'object' && value !== null && 'stream' in value && isIterable(value.stream);
const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || 'getReader' in value);

/** As browsers write names (HTML, section 4.10.21.8). */
const escape = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
