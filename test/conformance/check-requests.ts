import { differs, lacks } from './check-results.ts';
import type { ConformanceCase, ExpectedRequest } from './conformance-case.ts';
import type { RecordedRequest } from './scripted-server.ts';

/** Problems of the requests of a case, one per line, by its expectations and the rules for every request. */
export function checkRequests(
  each: ConformanceCase,
  requests: readonly RecordedRequest[],
  apiKey: string,
): string[] {
  const { requests: expected, requestsAtLeast } = each;
  const count = requestCount(each);
  const isRight = requestsAtLeast === undefined ? requests.length === count : requests.length >= count;
  if (!isRight) {
    const said = requests.map(({ method, path }) => `${method} ${path}`).join(', ');
    return [`${requests.length} requests came instead of ${count}: ${said}`];
  }
  return requests.flatMap((request, index) => {
    const problems = checkEvery(request, apiKey);
    const own = typeof expected === 'object' ? expected[index] : undefined;
    if (own !== undefined) problems.push(...checkRequest(own, request, { requests, index, apiKey }));
    return problems.map((problem) => `request ${index}: ${problem}`);
  });
}

/** Returns the number of requests that a case expects, at least or exactly. */
export function requestCount({ requests, requestsAtLeast, answers = [] }: ConformanceCase): number {
  if (requestsAtLeast !== undefined) return requestsAtLeast;
  return typeof requests === 'object' ? requests.length : (requests ?? answers.length);
}

/** Rules for every request of every SDK. */
function checkEvery(request: RecordedRequest, apiKey: string): string[] {
  const { method, path, headers, body, unscripted } = request;
  const problems: string[] = unscripted ? ['there is no answer for it'] : [];
  const protocol = headers['sec-websocket-protocol'];
  // WebSockets of pages and of other JavaScript platforms cannot set headers.
  if (request.messages !== undefined && protocol !== undefined)
    return [...problems, ...checkProtocol(protocol, request, apiKey)];
  const { authorization, ...others } = headers;
  if (authorization !== `Bearer ${apiKey}`) problems.push(`authorization is ${String(authorization)}`);
  if ([path, body, ...Object.values(others)].some((text) => text.includes(apiKey)))
    problems.push('the API key stands elsewhere than in the header authorization');
  if (!/^acme-conformance\/\d+\.\d+\.\d+ \(.*svc\/.*\)$/.test(headers['x-svc-client'] ?? ''))
    problems.push(`x-svc-client is ${String(headers['x-svc-client'])}`);
  if (request.messages === undefined && !(headers.accept ?? '').includes('application/json'))
    problems.push(`accept is ${String(headers.accept)}`);
  if (body !== '' && !/^application\/(json|x-ndjson)(;|$)/.test(headers['content-type'] ?? ''))
    problems.push(`content-type is ${String(headers['content-type'])}`);
  if (method === 'POST' && (headers['idempotency-key'] ?? '') === '')
    problems.push('it has no idempotency key');
  return problems;
}

/** A WebSocket that sends the key as a subprotocol only. */
function checkProtocol(protocol: string, { path, headers }: RecordedRequest, apiKey: string): string[] {
  const problems = protocol === `svc-token.${apiKey}` ? [] : [`the subprotocol is ${protocol}`];
  const others = Object.entries(headers).filter(([name]) => name !== 'sec-websocket-protocol');
  if ([path, ...others.map(([, value]) => value)].some((text) => text.includes(apiKey)))
    problems.push('the API key stands elsewhere than in the subprotocol');
  return problems;
}

interface Place {
  requests: readonly RecordedRequest[];
  index: number;
  apiKey: string;
}

function checkRequest(expected: ExpectedRequest, request: RecordedRequest, place: Place): string[] {
  const problems: string[] = [];
  const { method, path, headers = {}, body, bodyHolds, flowInput } = expected;
  if (method !== undefined) problems.push(...differs('the method', method, request.method));
  if (path !== undefined) problems.push(...differs('the path', path, request.path));
  for (const [name, wanted] of Object.entries(headers))
    problems.push(...checkHeader(name, wanted.replaceAll('${key}', place.apiKey), request.headers[name]));
  if (body !== undefined) problems.push(...differs('the body', body, parsed(request.body)));
  if (bodyHolds !== undefined) problems.push(...lacks('the body', bodyHolds, parsed(request.body)));
  if (flowInput !== undefined) problems.push(...differs('the input', flowInput, inputOf(request.body)));
  if (expected.lines !== undefined)
    problems.push(...differs('the lines', expected.lines, linesOf(request.body)));
  if (expected.messages !== undefined)
    problems.push(...differs('the messages', expected.messages, request.messages?.map(parsed)));
  if (expected.abandoned === true && !request.abandoned) problems.push('its connection was not ended');
  if (expected.secondsLeft !== undefined) problems.push(...checkSeconds(expected.secondsLeft, request));
  return [...problems, ...checkKey(expected, request, place), ...checkTimes(expected, request)];
}

function checkHeader(name: string, wanted: string, actual: string | undefined): string[] {
  if (wanted === 'absent') return actual === undefined ? [] : [`the header ${name} is ${actual}`];
  if (wanted === 'present') return actual === undefined ? [`there is no header ${name}`] : [];
  const pattern = /^\/(.*)\/$/.exec(wanted)?.[1];
  const fits = pattern === undefined ? actual === wanted : new RegExp(pattern).test(actual ?? '');
  return fits ? [] : [`the header ${name} is ${String(actual)}, not ${wanted}`];
}

function checkKey(
  { keyOf }: ExpectedRequest,
  request: RecordedRequest,
  { requests, index }: Place,
): string[] {
  const key = request.headers['idempotency-key'];
  if (keyOf === undefined) return [];
  if (typeof keyOf === 'number')
    return requests[keyOf]?.headers['idempotency-key'] === key
      ? []
      : [`its idempotency key is not that of request ${keyOf}`];
  const used = requests.slice(0, index).some(({ headers }) => headers['idempotency-key'] === key);
  return used ? ['its idempotency key was used before'] : [];
}

/** The time that had passed when the SDK wrote the number is unknown, but at most the time until its arrival. */
function checkSeconds(
  { ofMs, rounded }: NonNullable<ExpectedRequest['secondsLeft']>,
  { body, sinceMs }: RecordedRequest,
): string[] {
  const whole = rounded === 'up' ? Math.ceil : Math.floor;
  const [least, most] = [whole((ofMs - sinceMs) / 1_000), whole(ofMs / 1_000)];
  const { timeout_seconds: seconds } = parsed(body) as { timeout_seconds?: unknown };
  if (typeof seconds === 'number' && seconds >= least && seconds <= most) return [];
  return [`timeout_seconds is ${String(seconds)}, not ${least} to ${most}`];
}

function checkTimes(expected: ExpectedRequest, { waitedMs = 0, tookMs }: RecordedRequest): string[] {
  const { waitedAtLeastMs = 0, waitedAtMostMs = Infinity, tookAtLeastMs = 0 } = expected;
  if (tookMs < tookAtLeastMs)
    return [`its body took ${Math.round(tookMs)} ms, not at least ${tookAtLeastMs}`];
  if (waitedMs >= waitedAtLeastMs && waitedMs <= waitedAtMostMs) return [];
  return [`it came after ${Math.round(waitedMs)} ms, not ${waitedAtLeastMs} to ${waitedAtMostMs}`];
}

/** The input of a flow invocation. */
function inputOf(body: string): unknown {
  const invocation = parsed(body);
  const isObject = typeof invocation === 'object' && invocation !== null;
  return isObject && 'input' in invocation ? invocation.input : undefined;
}

function linesOf(body: string): unknown[] {
  const lines = body.split('\n');
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).map(parsed);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `not JSON: ${text}`;
  }
}
