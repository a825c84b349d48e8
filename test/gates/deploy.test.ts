/** The files of `.deploy/`: dashboards and alerts ask for metrics that the documentation names, manifests agree with the service. */
import { readdirSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';

const read = (file: string) => readFileSync(file, 'utf8');

interface Alerts {
  groups: { rules: { alert?: string; expr: string; for: string; labels: { severity: string }; annotations?: { runbook: string } }[] }[];
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
  read('.deploy/kubernetes/prometheus-adapter.yaml').split('metricsQuery:')[1] ?? '',
];

test('dashboards and alerts ask only for metrics that docs/how-to/operating.md names, which are those of GET /metrics', () => {
  const documented = new Set(
    /## Metrics([^]*?)## Traces/.exec(read('docs/how-to/operating.md'))?.[1]?.match(/\b[a-z][a-z0-9_]+_[a-z0-9_]+\b/g),
  );
  const used = expressions.flatMap((expression) =>
    [
      ...expression.matchAll(
        /\b((?:http_server|log_lines|db_client|rate_limit|api_key|messages_queue|deliveries|nodejs|process)_\w+?)(?:_bucket|_count|_sum)?(?=\{|\)| |,|\[|$)/g,
      ),
    ].map(([name = '', base = '']) => (documented.has(name) ? name : base)),
  );
  const labels = /^(http_route|http_request_method|http_response_status_code|db_client_connection_(pool_name|state))$/;
  const names = [...new Set(used)].filter((name) => !labels.test(name));
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !documented.has(name))).toEqual([]);
});

test('each alert links the paragraph of the runbook that is about it', () => {
  const runbook = /## Runbook([^]*?)\n## /.exec(read('docs/how-to/operating.md'))?.[1] ?? '';
  const anchors = [...runbook.matchAll(/^### (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w ]/g, '')
      .replaceAll(' ', '-'),
  );
  const linked = rules.flatMap(({ annotations }) => annotations?.runbook ?? []);
  expect(linked).toHaveLength(rules.filter(({ alert }) => alert !== undefined).length);
  expect(
    linked.filter(
      (link) => !anchors.some((anchor) => link === `https://github.com/specwright/specwright/blob/main/docs/how-to/operating.md#${anchor}`),
    ),
  ).toEqual([]);
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

describe('the manifests for Kubernetes', () => {
  const FOLDER = '.deploy/kubernetes';
  interface Probe {
    httpGet: { path: string };
    periodSeconds: number;
    failureThreshold: number;
  }
  interface Container {
    readinessProbe: Probe;
    livenessProbe: Probe;
    startupProbe: Probe;
    lifecycle: { preStop: { sleep: { seconds: number } } };
    securityContext: object;
    command?: string[];
  }
  interface Workload {
    spec: { template: { spec: { terminationGracePeriodSeconds: number; securityContext: object; containers: Container[] } } };
  }
  const manifest = (name: string) => parse(read(`${FOLDER}/${name}.yaml`)) as Workload;
  const podOf = (name: string) => manifest(name).spec.template.spec;
  const containerOf = (name: string) => podOf(name).containers[0] as Container;
  const environment = parseEnv(read(`${FOLDER}/service.env`)) as Record<string, string>;
  const config = readConfig(environment);

  test('are all in the kustomization, but what depends on the cluster', () => {
    const { resources } = parse(read(`${FOLDER}/kustomization.yaml`)) as { resources: string[] };
    const others = ['kustomization.yaml', 'prometheus-adapter.yaml', 'service.env', 'ingress.yaml', 'gateway.yaml', 'pod-monitor.yaml'];
    expect([...resources].sort()).toEqual(
      readdirSync(FOLDER)
        .filter((name) => !others.includes(name))
        .sort(),
    );
  });

  test('open no more connections in a release than PostgreSQL has by default, and know their clients by the ingress', () => {
    const { spec } = parse(read(`${FOLDER}/autoscaler.yaml`)) as { spec: { maxReplicas: number } };
    const { strategy } = (parse(read(`${FOLDER}/deployment.yaml`)) as { spec: { strategy: { rollingUpdate: { maxSurge: number } } } }).spec;
    // docs/how-to/scaling.md: 9 of each server and 5 of its deliveries; three are the superuser's.
    const connections = (spec.maxReplicas + strategy.rollingUpdate.maxSurge) * (config.databasePool + 14);
    expect(connections).toBeLessThanOrEqual(100 - 3);
    expect(config.trustProxy).toEqual({ header: 'x-forwarded-for', hops: 1 });
  });

  test('give a server the time that it needs to stop', () => {
    const { readinessProbe, lifecycle } = containerOf('deployment');
    expect(config.drainDelay).toBeGreaterThan(readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1000 + 1000);
    expect(config.shutdownTimeout).toBeGreaterThan(config.drainDelay + config.requestTimeout);
    const grace = podOf('deployment').terminationGracePeriodSeconds * 1000;
    expect(grace).toBeGreaterThan(lifecycle.preStop.sleep.seconds * 1000 + config.shutdownTimeout);
  });

  test('set variables that the service has, and ask for the paths that it serves', () => {
    const known = new Set([...read('docs/reference/configuration.md').matchAll(/^\| `([A-Z_]+)(?:=[^`]*)?`/gm)].map(([, name]) => name));
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const { startupProbe, readinessProbe, livenessProbe } = containerOf('deployment');
    expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/livez', '/readyz', '/livez']);
    const { specwright } = JSON.parse(read('package.json')) as { specwright: { programs: string[] } };
    expect(containerOf('migration').command).toEqual(['node', '.build/migrate.js']);
    expect(specwright.programs).toContain('src/migrate.ts');
  });

  test.each(['deployment', 'migration'])('%s runs without rights, on a file system that it cannot write', (name) => {
    expect(podOf(name).securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(containerOf(name).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});

test('the image starts the programs that `npm run build` makes, as a user that is not root', () => {
  const service = read('.deploy/Dockerfile').split(' AS service\n')[1] ?? '';
  expect(service).toMatch(/^USER 1000:1000$/m);
  expect(service).toContain('CMD ["node", ".build/main.js"]');
  // npm has links to the packages that are workspaces: their manifests are what these lead to.
  for (const name of ['contract', 'server', 'postgres', 'accounts'])
    expect(service).toContain(`COPY packages/${name}/package.json packages/${name}/`);
  const compose = parse(read('docker-compose.yml')) as { services: Record<string, Record<string, unknown>> };
  expect(compose.services['server']).toMatchObject({ read_only: true, build: { dockerfile: '.deploy/Dockerfile' }, cap_drop: ['ALL'] });
});

test('the image of a new project is made as that of the pet store, but for its workspaces and labels', () => {
  const stage = (path: string, name: string) => (read(path).split(` AS ${name}\n`)[1] ?? '').split('\nFROM ')[0] ?? '';
  const lines = (path: string, name: string) =>
    stage(path, name)
      .replaceAll(/^(?:#|ARG|LABEL|COPY packages|COPY vendor)(?:.*\\\n)*.*(?:\n|$)/gm, '')
      .trim();
  for (const name of ['build', 'dependencies', 'service'])
    expect(lines('packages/specwright/template/.deploy/Dockerfile', name)).toBe(lines('.deploy/Dockerfile', name));
  const own = parse(read('docker-compose.yml')) as { services: { server: Record<string, unknown> } };
  const { server } = (parse(read('packages/specwright/template/docker-compose.yml')) as typeof own).services;
  for (const key of ['command', 'init', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'stop_grace_period'])
    expect([key, server[key]]).toEqual([key, own.services.server[key]]);
  expect(server['build']).toMatchObject({ dockerfile: '.deploy/Dockerfile' });
});
