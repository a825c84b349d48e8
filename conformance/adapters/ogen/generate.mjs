/** Generates the server with ogen, and a handler for each of its operations and credentials. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { file, operations } from '../shared.mjs';

copyFileSync('../shared.go', 'shared.gen.go');
execFileSync('go', ['tool', 'ogen', '--target', '.', '--package', 'main', '--clean', '--config', 'ogen.yml', file], { stdio: 'inherit' });
const read = (name) => readFileSync(`oas_${name}_gen.go`, 'utf8');
const encoders = read('response_encoders');
const hasSecurity = read('server').includes('sec SecurityHandler');

/** The type of each response, with its status and media type, as the encoder of the operation writes them. */
function typesOf(name) {
  const code = encoders.match(new RegExp(`^func encode${name}Response\\(response (\\S+), [^]*?^}`, 'm')) ?? ['', ''];
  const isUnion = code[0].includes('switch response := response.(type)');
  const cases = isUnion ? code[0].split('case *').slice(1) : [`${code[1].replace('*', '')} ${code[0]}`];
  return cases.map((text) => [
    /^[\w.[\]]+/.exec(text)?.[0],
    /WriteHeader\((\d+)\)/.exec(text)?.[1] ?? /^\w*(\dXX)/.exec(text)?.[1],
    /Content-Type", "([^"]*)/.exec(text)?.[1] ?? '',
  ]);
}

const signatures = read('server').matchAll(/^\t(\w+)\(ctx context\.Context(.*)\) (?:\((\S+), error\)|error)$/gm);
const handlers = [...signatures].map(([, name, rest, result]) => {
  const { operationId } = operations.find((each) => each.operationId.toLowerCase() === name.toLowerCase());
  const head = `func (server) ${name}(ctx context.Context${rest}) (${result ? `res ${result}, ` : ''}err error) {`;
  if (operationId.startsWith('echo')) return `${head} answer := ${name}OKApplicationJSON(echo(ctx)); return &answer, nil }`;
  const isPointer = result?.startsWith('*') || result?.endsWith('Res');
  const typed = typesOf(name).map(([type, status = 'default', media]) => {
    const returned = `var r ${type}; err := a.fill(&r); return ${isPointer ? '&r' : 'r'}, err`;
    return `if a.is("${status}", "${media}") { ${result ? returned : 'return nil'} };`;
  });
  const and = result ? 'res, ' : '';
  return `${head} a, err := asked(params.Answer); if err != nil { return ${and}err }; ${typed.join(' ')} return ${and}errType }`;
});
const credentials = (
  hasSecurity ? [...read('security').matchAll(/^\t(Handle\w+)\(ctx context\.Context, \w+ OperationName, t (\w+)\)/gm)] : []
).map(
  ([, name, type]) =>
    `func (server) ${name}(ctx context.Context, _ OperationName, t ${type}) (context.Context, error) { return ctx, check(t) }`,
);
const start = `func newServer(options ...ServerOption) (http.Handler, error) { return NewServer(server{}, ${hasSecurity ? 'server{}, ' : ''}options...) }`;
const imports = read('unimplemented').match(/^import \([^]*?^\)/m)[0];
const used = 'var _ = ht.ErrNotImplemented';
writeFileSync(
  'handlers.gen.go',
  `package main\n${imports}\nimport "net/http"\n${used}\n${[start, ...handlers, ...credentials].join('\n')}\n`,
);
