/** One line on a terminal that says what is under way; nothing where there is no terminal. */
export interface Progress {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: (text) => void stream.write(`\r\x1b[2K${text.slice(0, stream.columns - 1)}`),
    clear: () => void stream.write('\r\x1b[2K'),
  };
}
