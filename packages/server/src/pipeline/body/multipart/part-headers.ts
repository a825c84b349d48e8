/** The header fields of a part of multipart/form-data (RFC 7578, section 4). */
import { isAscii, isUtf8 } from 'node:buffer';
import { FrameworkError } from '@specwright/contract/runtime';
import { parseFieldParameters, trimBlanks } from '@specwright/contract';

/** Much more than a browser sends: `Content-Disposition` and `Content-Type`. */
const MAX_PART_HEADERS = 16;
const MAX_NAME_LENGTH = 256;
const MAX_FILENAME_LENGTH = 1024;

export interface PartHead {
  readonly name: string;
  /** Without the folders of a path; `undefined` if there is none, or it is empty, as browsers send where no file was chosen. */
  readonly filename: string | undefined;
  /** Whether it has the parameter `filename`, whatever its value. */
  readonly hasFilename: boolean;
  readonly type: string | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Parses the header fields of a part.
 *
 * @param bytes without the empty line that ends them. @throws AppError invalid_request
 */
export function parsePartHead(bytes: Buffer): PartHead {
  const headers = parseFields(bytes);
  const disposition = headers['content-disposition'];
  if (disposition === undefined) throw invalidPart('a part has no Content-Disposition');
  const parsed = parseFieldParameters(disposition, 'percent');
  if (parsed === undefined) throw invalidPart('a part has a Content-Disposition that is malformed, or has a parameter twice');
  const name = parsed.parameters.get('name');
  const filename = parsed.parameters.get('filename');
  if (parsed.value !== 'form-data' || name === undefined) throw invalidPart('a part has no Content-Disposition: form-data with a name');
  if (name.length > MAX_NAME_LENGTH || CONTROLS.test(name))
    throw invalidPart(`the name of a part is longer than ${MAX_NAME_LENGTH} characters or has control characters`);
  // RFC 7578, section 4.7: it is deprecated, and nothing sends it.
  const encoding = headers['content-transfer-encoding']?.toLowerCase() ?? 'binary';
  if (!['7bit', '8bit', 'binary'].includes(encoding)) throw invalidPart(`body/${name} must be sent without Content-Transfer-Encoding`);
  return {
    name,
    filename: baseName(name, filename),
    hasFilename: filename !== undefined,
    type: headers['content-type'],
    headers: { ...headers },
  };
}

/** The values of the fields, by lower-case name. */
function parseFields(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  const lines = bytes.length === 0 ? [] : bytes.toString('latin1').split('\r\n');
  if (lines.length > MAX_PART_HEADERS) throw invalidPart(`a part has more than ${MAX_PART_HEADERS} header fields`);
  const isPlain = isAscii(bytes);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, Math.max(0, colon)), trimBlanks(line.slice(colon + 1))];
    if (!FIELD_NAME.test(name) || CONTROLS_BUT_TAB.test(value)) throw invalidPart('a part has a header field that is malformed');
    const key = name.toLowerCase();
    if (key in headers) throw invalidPart(`a part has the header field ${name.slice(0, 100)} more than once`);
    headers[key] = isPlain ? value : utf8(value);
  }
  return headers;
}

/** RFC 9110, sections 5.1 and 5.5: without line folding, and without control characters but the tab. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const CONTROLS_BUT_TAB = /[\0-\x08\n-\x1f\x7f]/;
const CONTROLS = /[\0-\x1f\x7f]/;

/** Browsers send UTF-8 (RFC 7578, section 5.1). */
function utf8(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  if (!isUtf8(bytes)) throw invalidPart('a part has a header field that is not UTF-8');
  return bytes.toString();
}

/** The path of a file on the client's machine is nobody's business, and must not become one on this machine (RFC 7578, section 4.2). */
function baseName(name: string, filename: string | undefined): string | undefined {
  const base = filename?.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  if (base === undefined || base === '' || base === '.' || base === '..') return undefined;
  if (base.length > MAX_FILENAME_LENGTH || CONTROLS.test(base))
    throw invalidPart(`the filename of body/${name} is longer than ${MAX_FILENAME_LENGTH} characters or has control characters`);
  return base;
}

export const invalidPart = (message: string) => new FrameworkError('invalid_request', message);
