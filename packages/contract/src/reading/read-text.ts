/** Reads the file of a document. */
import { readFileSync } from 'node:fs';
import { ContractError } from '../document/problems.ts';

/**
 * Reads the text of a document.
 *
 * @throws ContractError that says what to do if there is no such file, or it is a folder; Error if it is a URL.
 */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const [, scheme, rest] = /(https?):\/+(.*)/i.exec(file) ?? [];
    if (scheme !== undefined) {
      const url = `${scheme}://${rest}`;
      throw new Error(`${url} is a URL, and a file is needed: \`curl -fL -o openapi.yaml ${url}\` downloads it`, { cause });
    }
    const reasons: Record<string, string> = {
      ENOENT: 'does not exist: name an OpenAPI document',
      EISDIR: 'is a folder: name the OpenAPI document in it',
    };
    throw new ContractError(file, [{ message: reasons[code ?? ''] ?? `cannot be read: ${message}` }]);
  }
}
