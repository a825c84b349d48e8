/** Generates the server with oapi-codegen, and a handler for each operation. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { document, operations } from '../shared.mjs';

// What an echo answers has no schema: oapi-codegen makes a method of an interface from it, which Go does not compile.
for (const { operationId, responses } of operations)
  if (operationId.startsWith('echo')) responses['200'].content['application/json'].schema = { type: 'object' };
copyFileSync('../shared.go', 'shared.gen.go');
writeFileSync('contract.gen.json', JSON.stringify(document));
execFileSync('go', ['tool', 'oapi-codegen', '-config', 'config.yaml', 'contract.gen.json'], { stdio: 'inherit' });
const generated = readFileSync('api.gen.go', 'utf8');

const handlerOf = ({ operationId, parameters, bodies }) => {
  const name = operationId[0].toUpperCase() + operationId.slice(1);
  const head = `func (server) ${name}(_ context.Context, request ${name}RequestObject) (${name}ResponseObject, error) {`;
  if (operationId.startsWith('answer')) {
    const types = generated.matchAll(new RegExp(`^func \\(response (${name}(\\dXX|\\d+|default)(\\w*)Response)\\) Visit`, 'gm'));
    const typed = [...types].map(([, type, ...is]) => `if a.is("${is.join('", "')}") { var r ${type}; err := a.fill(&r); return r, err };`);
    return `${head} a, err := asked(request.Params.Answer); if err != nil { return nil, err }; ${typed.join(' ')} return nil, errType }`;
  }
  const isMultipart = Object.keys(bodies).join() === 'multipart/form-data';
  const body = `var body ${name}MultipartRequestBody; if runtime.BindMultipart(&body, *request.Body) != nil { return ${name}defaultResponse{StatusCode: 400}, nil };`;
  const declared = parameters.map((each) => `{"${each.in}", "${each.name}"}`);
  return `${head} ${isMultipart ? body : ''} return ${name}200JSONResponse(echo(request, ${isMultipart ? 'body' : 'nil'}, []parameter{${declared}})), nil }`;
};
const imports = ['context', 'github.com/oapi-codegen/runtime'].map((name) => `import "${name}"`).join('\n');
const used = 'var _ = runtime.BindMultipart';
writeFileSync('handlers.gen.go', `package main\n${imports}\n${used}\n${operations.map(handlerOf).join('\n')}\n`);
