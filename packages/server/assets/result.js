/* What a request was answered: status, time and what is left of the limit, in one line. Plain JavaScript of a browser. */

/** What is left of the limit that has the fewest left, as the headers say it (draft-ietf-httpapi-ratelimit-headers, and before it). */
function formatLimit(headers) {
  const left = headers['x-ratelimit-remaining'] ?? /;\s*r=(\d+)/.exec(headers.ratelimit ?? '')?.[1];
  if (left === undefined) return undefined;
  const limit = headers['x-ratelimit-limit'];
  return `${left}${limit === undefined ? '' : ` of ${limit}`} requests left`;
}

export const resultPlugin = ({ React }) => {
  const element = React.createElement;
  const liveResponse = (Original) => (props) => {
    const { status, statusText, duration, headers = {} } = props.response.toJS();
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
    const rest = [duration === undefined ? undefined : `${Math.round(duration)} ms`, formatLimit(lower)].filter(Boolean);
    return element(
      'div',
      { className: 'docs-result' },
      status !== undefined &&
        element(
          'p',
          { role: 'status' },
          element('strong', { className: `docs-status-${String(status)[0]}` }, `${status} ${statusText ?? ''}`),
          ...rest.map((text) => element('span', { key: text }, text)),
        ),
      element(Original, props),
    );
  };
  // The request is above, in each language.
  return { components: { curl: () => null }, wrapComponents: { liveResponse } };
};
