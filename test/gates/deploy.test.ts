/** The files of `.deploy/`: dashboards and alerts ask for metrics that the documentation names, manifests agree with the service. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(file, 'utf8');

interface Alerts {
  groups: { rules: { alert: string; expr: string; for: string; labels: { severity: string } }[] }[];
}
interface Dashboard {
  panels: {
    id: number;
    type: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { refId: string; expr: string }[];
  }[];
  templating: { list: { definition: string }[] };
}
const rules = (parse(read('.deploy/observability/alerts.yaml')) as Alerts).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(read('.deploy/observability/grafana/dashboards/service.json')) as Dashboard;
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ definition }) => definition),
];

test('dashboards and alerts ask only for metrics that docs/operating.md names, which are those of GET /metrics', () => {
  const documented = new Set(/## Metrics([^]*?)## Traces/.exec(read('docs/operating.md'))?.[1]?.match(/\b[a-z][a-z0-9_]+_[a-z0-9_]+\b/g));
  const used = expressions.flatMap((expression) =>
    [
      ...expression.matchAll(
        /\b((?:http_server|db_client|rate_limit|api_key|messages_queue|nodejs|process)_\w+?)(?:_bucket|_count|_sum)?(?=\{|\)| |,|\[|$)/g,
      ),
    ].map(([name = '', base = '']) => (documented.has(name) ? name : base)),
  );
  const labels = /^(http_route|http_request_method|http_response_status_code|db_client_connection_(pool_name|state))$/;
  const names = [...new Set(used)].filter((name) => !labels.test(name));
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !documented.has(name))).toEqual([]);
});

test('the alerts are those of docs/operating.md', () => {
  const table = /## Alerts([^]*?)## What/.exec(read('docs/operating.md'))?.[1] ?? '';
  const documented = [...table.matchAll(/^\| (.+?) +\| `(.+)` +\| (\d+) m +\| (\w+) +\|$/gm)].map(
    ([, name = '', expr = '', minutes = '', severity = '']) => ({
      alert: name.replace(/(?:^| )(.)/g, (_, letter: string) => letter.toUpperCase()),
      expr: expr.replaceAll('\\|', '|'),
      for: `${minutes}m`,
      labels: { severity },
    }),
  );
  expect(documented.length).toBeGreaterThan(10);
  expect(rules.map(({ alert, expr, for: time, labels }) => ({ alert, expr, for: time, labels }))).toEqual(documented);
});

test('expressions have brackets in pairs, and panels do not overlap', () => {
  for (const expression of expressions) {
    for (const [open, close] of ['()', '{}', '[]']) expect(expression.split(open ?? '').length).toBe(expression.split(close ?? '').length);
  }
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
});
