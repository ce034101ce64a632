import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { checkRequests, requestCount } from './check-requests.ts';
import { checkLog, checkResults } from './check-results.ts';
import type { ExpectedStep, ScriptedAnswer } from './conformance-case.ts';
import type { Driver, DriverClientOptions, DriverRequest, DriverStep } from './driver-protocol.ts';
import { defaultAlias, type PlacedCase } from './read-cases.ts';
import { bodyOf, type Script, type ScriptedServer } from './scripted-server.ts';

/** The API key of all cases; only the header `Authorization` may contain it. */
export const API_KEY = '5ca1ab1e0ddba11deadbea7f00dc0ffee5ca1ab1e0ddba11deadbea7f00dc0ffe';

interface CaseOptions {
  server: ScriptedServer;
  /** Returns a driver with these variables in its environment, and the same one for the same variables. */
  driverWith: (env: Record<string, string>) => Driver | Promise<Driver>;
}

/** Runs a case with all of its variants. Returns the problems, one per line; empty if it passes. */
export async function runCase(each: PlacedCase, options: CaseOptions): Promise<string[]> {
  for (const variant of variantsOf(each)) {
    const problems = await runVariant(variant, options);
    if (problems.length > 0) return variant === each ? problems : [`as ${variant.name}:`, ...problems];
  }
  return [];
}

async function runVariant(each: PlacedCase, { server, driverWith }: CaseOptions): Promise<string[]> {
  await using unreachable = each.unreachable === true ? await unreachableServer() : undefined;
  const script = server.open(each.answers ?? []);
  const baseUrl = unreachable?.url ?? script.baseUrl;
  const fill = (text: string): string => text.replaceAll('${baseUrl}', baseUrl).replaceAll('${key}', API_KEY);
  const env = Object.entries(each.env ?? {}).map(([name, value]) => [name, fill(value)]);
  const driver = await driverWith(Object.fromEntries(env) as Record<string, string>);
  const startedAt = performance.now();
  const response = await driver.run(driverRequest(each, baseUrl, fill));
  const tookMs = performance.now() - startedAt;
  const resultProblems = checkResults(each.steps, response);
  await settled(each, script, resultProblems.length === 0 ? 30_000 : 1_000);
  const problems = [
    ...resultProblems,
    ...checkLog(each.logs ?? [], response),
    ...checkRequests(each, script.requests, each.client?.apiKey ?? API_KEY),
    ...checkTime(each, tookMs),
  ];
  if (JSON.stringify(response).includes(API_KEY))
    problems.push('the API key stands in a result, an error or a log line');
  return problems;
}

/** The request to a driver for a case. */
export function driverRequest(
  { group, name, client = {}, steps }: PlacedCase,
  baseUrl: string,
  fill: (text: string) => string = (text) => text,
): DriverRequest {
  const usual: DriverClientOptions = { apiKey: API_KEY, baseUrl, retryDelayMs: 5, maxRetryDelayMs: 20 };
  const options = Object.entries({ ...usual, ...client })
    .filter(([, value]) => value !== null)
    .map(([option, value]) => [option, typeof value === 'string' ? fill(value) : value]);
  return {
    id: `${group}: ${name}`,
    client: Object.fromEntries(options) as DriverClientOptions,
    steps: steps.map(driverStep),
  };
}

function driverStep(step: ExpectedStep): DriverStep {
  const { do: action = 'call', alias = defaultAlias(action), input, inputText, inputs, options = {} } = step;
  const { executionId, types, nodeName, pageSize, raw, cancelAfterMs, takes, inputPauseMs } = step;
  const { statuses, pauseId, checkpointId, decision, decisionJson, decisionBytes, resumedBy, goesOn } = step;
  const { streamId, after, inTurn } = step;
  const takesInput = inputs === undefined && ['call', 'start', 'stream'].includes(action);
  return {
    do: action,
    alias,
    ...(takesInput ? { inputText: inputText ?? JSON.stringify(input ?? {}) } : {}),
    inputTexts: inputs?.map((each) => JSON.stringify(each)),
    ...{ executionId, types, nodeName, pageSize, raw, cancelAfterMs, takes, inputPauseMs },
    ...{ streamId, after, inTurn },
    ...{ statuses, pauseId, checkpointId, decisionBytes, resumedBy, goesOn },
    ...(decision === undefined ? {} : { decisionText: JSON.stringify(decision) }),
    ...(decisionJson === undefined ? {} : { decisionJsonText: JSON.stringify(decisionJson) }),
    options,
  };
}

/** The case, or a variant for each position at which its response can be truncated or split. */
function variantsOf(each: PlacedCase): PlacedCase[] {
  const index = each.answers?.findIndex(({ cut, split }) => cut === 'eachByte' || split !== undefined) ?? -1;
  const answer = each.answers?.[index];
  if (answer === undefined) return [each];
  const { length } = bodyOf(answer).bytes;
  return Array.from({ length }, (_, at) => {
    const variant = answer.split === undefined ? { cut: at } : { pieces: [at] };
    const answers: ScriptedAnswer[] = (each.answers ?? []).with(index, { ...answer, ...variant });
    return { ...each, name: `${each.name} (${at} of ${length} bytes)`, answers };
  });
}

/** Waits until the requests have arrived and ended as expected, which the server may notice after the driver responds. */
async function settled(each: PlacedCase, { requests }: Script, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  const count = requestCount(each);
  const own = typeof each.requests === 'object' ? each.requests : [];
  const isLacking = (): boolean =>
    requests.length < count ||
    own.some(({ abandoned, messages = [] }, index) => {
      const request = requests[index];
      if (abandoned === true && request?.abandoned !== true) return true;
      return (request?.messages?.length ?? 0) < messages.length;
    });
  while (isLacking() && performance.now() < until) await pause(5);
}

function checkTime({ tookAtLeastMs = 0, tookAtMostMs = Infinity }: PlacedCase, tookMs: number): string[] {
  const took = `the case took ${Math.round(tookMs)} ms`;
  if (tookMs < tookAtLeastMs) return [`${took}, at least ${tookAtLeastMs} were expected`];
  return tookMs > tookAtMostMs ? [`${took}, at most ${tookAtMostMs} were expected`] : [];
}

/** An address that refuses connections. Its port is the local port of an open connection, so nothing else can listen there. */
async function unreachableServer(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((accepted) => accepted.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return {
    url: `http://127.0.0.1:${socket.localPort}`,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
