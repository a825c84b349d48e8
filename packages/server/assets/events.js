/* Shows the events of a stream while they arrive. Plain JavaScript of a browser. */

const STREAM = /^text\/event-stream|^application\/(x-ndjson|jsonl|json-seq)/i;
/** Characters of a stream that remain on the page: the newest. */
const MAX_SHOWN = 50_000;
const DRAW_INTERVAL_MS = 100;

/** Reads a stream to its end, or until it is stopped. @param draw gets the text so far, at most ten times a second. */
async function readStream(response, draw) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let drawing;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text = (text + part.value).slice(-MAX_SHOWN);
      drawing ??= setTimeout(() => {
        drawing = undefined;
        draw(text);
      }, DRAW_INTERVAL_MS);
    }
  } catch (error) {
    // A reader who stops a stream keeps what has arrived.
    if (error.name !== 'AbortError') text += `\n${error}`;
  } finally {
    clearTimeout(drawing);
  }
  return text;
}

export const eventsPlugin = ({ getSystem }) => {
  const { React } = getSystem();
  const element = React.createElement;
  /** The streams that are read, by path and method. */
  const open = new Map();
  const keyOf = (path, method) => `${method} ${path}`;
  const stop = (path, method) => open.get(keyOf(path, method))?.abort();

  const streamingFetch = (specActions, path, method) => async (url, options) => {
    const key = keyOf(path, method);
    open.get(key)?.abort();
    const controller = new AbortController();
    const response = await fetch(url, { ...options, signal: controller.signal });
    if (!STREAM.test(response.headers.get('Content-Type') ?? '')) return response;
    open.set(key, controller);
    const { status, statusText, headers } = response;
    const shown = { ok: response.ok, url, status, statusText, headers: Object.fromEntries(headers), obj: undefined };
    const draw = (text) => specActions.setResponse(path, method, { ...shown, text, data: text });
    draw('');
    const text = await readStream(response, draw);
    // Its response was cleared, or another one has begun.
    if (open.get(key) !== controller) return new Promise(() => {});
    open.delete(key);
    return new Response(text, { status, statusText, headers });
  };

  const liveResponse = (Original) => (props) => {
    const { path, method } = props;
    const isOpen = open.has(keyOf(path, method));
    const button = element('button', { type: 'button', className: 'btn docs-stop', onClick: () => stop(path, method) }, 'Stop the stream');
    return element(React.Fragment, null, isOpen && button, element(Original, props));
  };
  return {
    wrapComponents: { liveResponse },
    statePlugins: {
      spec: {
        wrapActions: {
          executeRequest:
            (original, { specActions }) =>
            (request) =>
              original({ ...request, userFetch: streamingFetch(specActions, request.pathName, request.method) }),
          clearResponse: (original) => (path, method) => {
            stop(path, method);
            open.delete(keyOf(path, method));
            return original(path, method);
          },
        },
      },
    },
  };
};
