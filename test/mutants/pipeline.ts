/** Mutants of pipeline steps: admission, authentication, validation, idempotency, the response. */
import type { MutatedFile } from './mutant.ts';

const ADMISSION: MutatedFile = {
  file: 'packages/server/src/pipeline/admission/admission.ts',
  tests: ['packages/server/test/pipeline/admission.test.ts'],
  mutants: [
    [
      'a new request overtakes those that wait',
      'return this.#running.size < this.#limit.value;',
      'return this.#running.size <= this.#limit.value;',
    ],
    [
      'a slot that has become free meanwhile is not taken',
      'if (this.#hasFreeSlot()) return this.#start(ticket);\n    const key',
      '    const key',
    ],
    ['any number of requests runs at once', 'return this.#running.size < this.#limit.value;', 'return true;'],
    ['a client that is gone gets a slot', ' || exchange.response.destroyed', ''],
    ['a request whose deadline has passed gets a slot', "if (ticket.state !== 'waiting') continue;", ''],
    ['a request that has waited too long gets a slot', 'this.#isLate(ticket.since, now) || ', ''],
    [
      'there are no extra slots for other accounts',
      'if (this.#running.size < this.#limit.value * 1.25 && work === 0',
      'if (this.#running.size < this.#limit.value && work === 0',
    ],
    ['an account with a slot gets extra ones', 'work === 0 && !this.#hasSlot(key)', 'work === 0'],
    ['an account whose requests wait gets extra slots', 'work === 0 && !this.#hasSlot(key)', '!this.#hasSlot(key)'],
    [
      'the time before the caller was found does not count',
      'this.#startOrWait(exchange, exchange.deadline - this.#requestTimeoutMs)',
      'this.#startOrWait(exchange, performance.now())',
    ],
    ['extra slots have no bound', 'this.#running.size < this.#limit.value * 1.25 && ', ''],
    ['an account waits beyond its share', ' * QUEUE_SHARE - this.#queue.work', ' * QUEUE_SHARE'],
    ['the queue has no bound', ' || !this.#hasRoomFor(work)) return', ') return'],
    ['the queue is as long as the deadline', '* this.#requestTimeoutMs * QUEUE_SHARE', '* this.#requestTimeoutMs'],
    [
      'a look-up that has ended counts as under way',
      'this.#lookUps.leave(this.#rateLimit.addressOf(exchange));\n    return this.#startOrWait',
      'return this.#startOrWait',
    ],
    [
      'a request that is answered while its caller is looked up counts as under way',
      "if (state === 'authenticating') return this.#lookUps.leave(this.#rateLimit.addressOf(exchange));",
      "if (state === 'authenticating') return;",
    ],
    ['a request that is answered while it waits never goes on', '      ticket.resume?.resolve();\n    } else', '    } else'],
    [
      'a deadline gives the slot back',
      "      ticket.state = 'expired';\n",
      "      ticket.state = 'ended';\n      this.#releaseSlot(ticket, performance.now());\n",
    ],
    ['a request that has expired leaves no slot when its work ends', " && state !== 'expired'", ''],
    ['expired requests leave as much room in the queue', '(this.#limit.value - this.#expired) *', 'this.#limit.value *'],
    ['a client that is slow to send keeps its slot', 'this.#releaseSlot(ticket, performance.now());', ''],
    [
      'a body that has arrived goes on without a slot',
      'undefined : this.#startOrWait(exchange, performance.now())',
      'undefined : this.#start(exchange.ticket as RequestTicket)',
    ],
    [
      'one request more than the limit runs',
      'while (this.#running.size < this.#limit.value) {',
      'while (this.#running.size <= this.#limit.value) {',
    ],
    [
      'durations of a saturated server are not looked at',
      'this.#running.size - 1, this.#queue.size > 0, now',
      'this.#running.size - 1, false, now',
    ],
    [
      'requests of a caller wait by their address',
      'if (exchange.caller === undefined) return this.#rateLimit.addressOf(exchange);',
      'return this.#rateLimit.addressOf(exchange);',
    ],
  ],
};

const LOOK_UPS: MutatedFile = {
  file: 'packages/server/src/pipeline/admission/admission.ts',
  tests: ['packages/server/test/pipeline/admission.test.ts'],
  mutants: [['one address has all look-ups', 'count >= MAX_LOOK_UPS - this.#count', 'count >= MAX_LOOK_UPS']],
};

const REFUSALS: MutatedFile = {
  file: 'packages/server/src/pipeline/admission/refusals.ts',
  tests: ['packages/server/test/pipeline/admission.test.ts'],
  mutants: [
    ['who retries at once is answered at once', 'told === undefined || told.key', 'told !== undefined || told.key'],
    ['other accounts on a connection wait too', ' || told.key !== this.#keyOf(exchange)', ''],
    ['who waited for long enough is kept waiting', ' || told.until <= arrivedAt', ''],
    ['refusals are not counted', 'this.#refused++;', ''],
    ['any number of answers is kept back', 'this.#held < MAX_HELD', 'true'],
    ['an answer that was sent counts as kept back', 'this.#held--;', ''],
    ['an answer is kept back for as long as its client was told', 'Math.min(ms, this.#maxHoldMs)', 'ms'],
    ['an answer is kept back for longer than its client was told', 'Math.min(ms, this.#maxHoldMs)', 'this.#maxHoldMs'],
    [
      'a client is told once',
      '(exchange.request.socket as MarkedSocket)[TOLD] = {',
      '(exchange.request.socket as MarkedSocket)[TOLD] ??= {',
    ],
    ['all clients are told the same', 'overloadError(Math.random())', 'overloadError(0)'],
    ['the connection of a client that cannot wait is kept', "exchange.headers.set('Connection', 'close');", ';'],
  ],
};

const IDEMPOTENCY: MutatedFile = {
  file: 'packages/server/src/pipeline/idempotency.ts',
  tests: ['packages/server/test/pipeline/idempotency.test.ts'],
  mutants: [
    ['a key is good for another operation', '{ operation, path, query, body, files }, sortKeys', '{ path, query, body, files }, sortKeys'],
    ['a key is good for another path', '{ operation, path, query, body, files }, sortKeys', '{ operation, query, body, files }, sortKeys'],
    ['a key is good for another query', '{ operation, path, query, body, files }, sortKeys', '{ operation, path, body, files }, sortKeys'],
    ['a key is good for another body', '{ operation, path, query, body, files }, sortKeys', '{ operation, path, query, files }, sortKeys'],
    ["a handler's 400 is stored", 'given.status >= 400', 'given.status > 400'],
    ["a handler's 4xx are stored", 'given.status >= 400', 'given.status >= 500'],
    [
      'the order of an array makes no other request',
      ' || Array.isArray(value)) return value;',
      ') return value;\n  if (Array.isArray(value)) return [...(value as unknown[])].sort();',
    ],
    ['the order of properties makes another request', '(a < b ? -1 : 1)', '0'],
    [
      'what breaks the contract is stored',
      'const { body } = validateResponse(exchange, given, responseValidation);',
      'const { body } = given;',
    ],
    ['a stored response has to be valid today', 'exchange.isReplay = isReplay;', ''],
    ['a first response passes for a replay', 'if (isReplay) exchange.headers.set', 'exchange.headers.set'],
    ['the key of one caller is good for another', 'caller: exchange.caller,', 'caller: undefined,'],
  ],
};

const AUTHENTICATE: MutatedFile = {
  file: 'packages/server/src/pipeline/authentication/authenticate.ts',
  tests: ['packages/server/test/pipeline/security-schemes.test.ts'],
  mutants: [
    [
      'credentials of a scheme that is not implemented are accepted',
      'if (found === UNIMPLEMENTED) exchange.unimplementedScheme = context.name;',
      'if (found === UNIMPLEMENTED) return;',
    ],
    [
      'credentials of a scheme that is not implemented are accepted as an alternative',
      'if (found === UNIMPLEMENTED) unverified = context.name;',
      'if (found === UNIMPLEMENTED) continue;',
    ],
    [
      'an alternative without credentials comes first',
      '.sort((a, b) => Number(a.length === 0) - Number(b.length === 0))',
      '.sort((a, b) => Number(b.length === 0) - Number(a.length === 0))',
    ],
    [
      'credentials that are not sufficient are not told from wrong ones',
      'if (first === undefined) throw combineRefusals(refusals);',
      'throw combineRefusals(refusals);',
    ],
    ['scopes are not compared', 'const accept = checkScopes === undefined ? acceptAny : acceptScoped;', 'const accept = acceptAny;'],
    ['scopes are not compared in alternatives', 'if (lacking.length > 0) {', 'if (lacking.length > 9) {'],
    [
      'an error of the look-up counts as a refusal',
      'if (!isAppError(error) || !isRefusal(statuses[error.code])) throw error;',
      'if (!isAppError(error)) throw error;',
    ],
    ['unchecked credentials fall back to none', 'if (schemes.length === 0 && unimplemented !== undefined) break;', ''],
    ['a refusal is no reason to try the next alternative', 'status === 401 || status === 403', 'status === 403'],
    [
      'a challenge is sent twice',
      'texts.filter((text) => text !== undefined))]',
      'texts.filter((text) => text !== undefined))].concat(texts as string[])',
    ],
  ],
};

const SCOPES: MutatedFile = {
  file: 'packages/server/src/pipeline/authentication/scopes.ts',
  tests: ['packages/server/test/pipeline/security-schemes.test.ts'],
  mutants: [
    ['one of the required scopes is enough', 'if (missing.length === 0)', 'if (missing.length < required.length)'],
    [
      'a text of scopes is a list',
      'Array.isArray(granted) ? required',
      "typeof (granted as string[] | undefined)?.includes === 'function' ? required",
    ],
    ['a caller without scopes has all', ': required;', ': [];'],
  ],
};

const VALIDATE_REQUEST: MutatedFile = {
  file: 'packages/server/src/pipeline/validate-request.ts',
  tests: ['packages/server/test/pipeline/validate-request.test.ts'],
  mutants: [
    ['a request with one problem reaches the handler', 'if (problems.length > 0)', 'if (problems.length > 1)'],
    ['the query is not validated', 'search: exchange.search', "search: ''"],
    ['the path is not validated', 'path: exchange.pathParameters', 'path: {}'],
    ['headers are not validated', 'headers: exchange.request.headers', 'headers: {}'],
    ['the body is not validated', 'body: exchange.body,\n      type: exchange.type', 'body: undefined,\n      type: undefined'],
    ['any number of problems is listed', 'listed = problems.slice(0, MAX_PROBLEMS)', 'listed = problems'],
    ['a message has no bound', "join('; ').slice(0, MAX_MESSAGE_LENGTH)", "join('; ')"],
    ['the number of further problems is wrong', 'problems.length - MAX_PROBLEMS', 'problems.length'],
  ],
};

const RESPONSE_VALIDATOR: MutatedFile = {
  file: 'packages/contract/src/responses/response-validator.ts',
  tests: ['packages/contract/test/response-validator.test.ts'],
  mutants: [
    ['an object is sent as text/plain', "if (!chosen.isJson && typeof body !== 'string'", "if (false && typeof body !== 'string'"],
    ['an undeclared status is sent', 'problems: [`response status ${status} is not declared`]', 'problems: []'],
    ['a declared body may be missing', 'if (declared.bodies.length > 0) problems.push', 'if (declared.bodies.length < 0) problems.push'],
    [
      'a range of statuses comes before the status',
      '[String(status), `${Math.floor(status / 100)}XX`',
      '[`${Math.floor(status / 100)}XX`, String(status)',
    ],
    ['`default` comes before a range', "`${Math.floor(status / 100)}XX`, 'default']", "'default', `${Math.floor(status / 100)}XX`]"],
    [
      'undeclared properties are sent',
      'body: validBody(chosen, body, problems), problems',
      'body: (validBody(chosen, body, problems), body), problems',
    ],
    [
      'an undeclared media type passes for the first one',
      'if (range === undefined || range === exact) return exact;',
      'if (range === undefined || range === exact) return exact ?? bodies[0];',
    ],
    ['a body is not validated', 'return validate === undefined ||', 'return true ||'],
    ['a body that is not declared is sent', 'type: undefined, body: undefined, problems', 'type: response.type, body, problems'],
    [
      'headers are not validated',
      'const head = checkHeaders(declared.headers, headers, pipelineHeaders.size, problems);',
      'const head = checkHeaders(declared.headers, headers, pipelineHeaders.length / 2, []);',
    ],
  ],
};

const SENT_VALUE: MutatedFile = {
  file: 'packages/contract/src/responses/sent-value.ts',
  tests: ['packages/server/test/contract/sent-values.test.ts'],
  mutants: [
    ['the value of the handler is validated, not the one that is sent', 'if (!validate(value))', 'if (!validate(given))'],
    ['what is left without forbidden properties is not validated', '&& !validate(stripped)', '&& false'],
  ],
};

const SEND_RESPONSE: MutatedFile = {
  file: 'packages/server/src/pipeline/send-response.ts',
  tests: ['packages/server/test/pipeline/send-response.test.ts'],
  mutants: [
    [
      'a text is sent as JSON',
      "return typeof body === 'string' && type !== undefined && !isJson(type) ? body : stringifyJson(body);",
      'return stringifyJson(body);',
    ],
    ['a string of JSON is sent as text', '&& !isJson(type) ? body', '? body'],
    ['what breaks the contract is sent in strict mode', "if (mode === 'strict') throw invalid;", ''],
    ['what breaks the contract is logged in the mode off', "result.problems.length > 0 && mode !== 'off'", 'result.problems.length > 0'],
    ['a response with one problem is sent', 'if (result.problems.length > 0', 'if (result.problems.length > 1'],
    ['a 204 has a Content-Length', 'else if (status !== 204 && status !== 304)', 'else if (status !== 304)'],
    ['a 304 has a Content-Length', 'else if (status !== 204 && status !== 304)', 'else if (status !== 204)'],
  ],
};

const RESPOND: MutatedFile = {
  file: 'packages/server/src/create-service.ts',
  tests: ['packages/server/test/pipeline/send-response.test.ts'],
  mutants: [['a stored response has to be valid today', "exchange.isReplay && mode === 'strict' ? 'log' : mode", 'mode']],
};

const DOWNLOAD: MutatedFile = {
  file: 'packages/server/src/pipeline/streams/send-streamed.ts',
  tests: ['packages/server/test/pipeline/downloads.test.ts'],
  mutants: [
    ['a range is sent of another version', '|| !matchesIfRange(request.headers, own)', ''],
    ['several ranges are answered with the first', 'only === undefined || others.length > 0', 'only === undefined'],
    ['a range has the length of the whole', 'length: only.end - only.start + 1', 'length'],
  ],
};

const DOWNLOAD_CONDITIONS: MutatedFile = {
  file: 'packages/server/src/pipeline/streams/download-conditions.ts',
  tests: ['packages/server/test/pipeline/downloads.test.ts'],
  mutants: [
    ['a weak tag matches If-Range', "!ifRange.startsWith('W/') && ", ''],
    ['If-Match is not evaluated', 'if (tag !== undefined && !matchesStrongly(match, tag)) return 412;', ';'],
    ['If-Unmodified-Since is evaluated beside If-Match', '} else if (modified >', '} if (modified >'],
    ['a weak tag matches If-Match', `tag.startsWith('"') && precondition`, 'precondition'],
  ],
};

const HEADER_FIELDS: MutatedFile = {
  file: 'packages/contract/src/http/header-fields.ts',
  tests: ['packages/server/test/pipeline/header-fields.test.ts'],
  mutants: [
    ['names are the same only in one case', 'if (lower !== (other | 0x20) || lower < 0x61 || lower > 0x7a) return false;', 'return false;'],
    ['a sign is the same as another', ' || lower < 0x61 || lower > 0x7a', ''],
    ['an error has the fields of the content', 'for (const name of OF_CONTENT) this.delete(name);', ''],
  ],
};

export const PIPELINE: readonly MutatedFile[] = [
  ADMISSION,
  LOOK_UPS,
  REFUSALS,
  IDEMPOTENCY,
  AUTHENTICATE,
  SCOPES,
  VALIDATE_REQUEST,
  RESPONSE_VALIDATOR,
  SENT_VALUE,
  SEND_RESPONSE,
  RESPOND,
  DOWNLOAD,
  DOWNLOAD_CONDITIONS,
  HEADER_FIELDS,
];
