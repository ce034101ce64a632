import type { Attack, AttackRequest, AttackTarget, RequestAttack } from './attack.ts';
import {
  emptyObjects,
  manyMessages,
  manyNumbers,
  nestedLoops,
  nestedMessages,
  openBrackets,
  regexChain,
  replaceChain,
  smallItems,
  unknownKeys,
} from './bodies.ts';
import { mappingFlow } from './flows.ts';

const mebibyte = 1_048_576;
/** The default rates of a tenant and of an app key. */
const tenantRate = 100;
const invocationRate = 5;

/** A call of one of the tenant's nodes. */
function nodeCall({ handle }: AttackTarget, node: string, body: string): AttackRequest {
  return { method: 'POST', path: `/invocations/v1/nodes/${handle}/tools/1.0.0/${node}`, body };
}

function invoke(graphId: string, input: string, wait = true): AttackRequest {
  const body = `{"graph_id":"${graphId}","wait":${wait},"input":${input}}`;
  return { method: 'POST', path: '/invocations/v1/flows/invoke', body };
}

/** Repeats the same requests. Bodies are encoded once. */
function inTurn(prepare: (target: AttackTarget) => AttackRequest[]): RequestAttack['prepare'] {
  return (target) => {
    const requests = prepare(target).map(({ body, ...request }) => ({
      ...request,
      ...(body !== undefined && { body: Buffer.from(body) }),
    }));
    return (n) => requests[n % requests.length]!;
  };
}

/** Publishes versions that are new to the service. */
function publications(sourceOf: (packageName: string) => string): RequestAttack['prepare'] {
  return ({ handle }) => {
    const source = JSON.stringify(sourceOf(`${handle}.costly.v1`));
    const nodes = `[{"name":"Run","input":"${handle}.costly.v1.Root","output":"${handle}.costly.v1.Root"}]`;
    return (n) => ({
      method: 'POST',
      path: '/api/v1/packages',
      body:
        `{"name":"${handle}/costly","version":"1.${process.pid}.${n}","visibility":"private",` +
        `"protos":{"costly.proto":${source}},"nodes":${nodes}}`,
    });
  };
}

/** Distinct inputs, so that no invocation repeats an earlier one. */
function runs(of: (graphs: AttackTarget['graphs']) => readonly string[]): RequestAttack['prepare'] {
  return (target) => {
    const graphs = of(target.graphs);
    return (n) => invoke(graphs[n % graphs.length]!, `{"text":"a","numbers":[${n},${process.pid}]}`);
  };
}

/** Expressions over the fields of `Bulk`. */
export const expressionBombs: readonly string[] = [
  replaceChain('text'),
  nestedLoops('numbers'),
  regexChain('text'),
];

/** For services that refuse costly expressions when they compile a flow. */
const compilations = inTurn(({ handle }) =>
  expressionBombs.map((expression) => ({
    method: 'POST',
    path: '/api/v1/graphs/compile',
    body: JSON.stringify(mappingFlow(handle, expression)),
  })),
);

/** Ways in which a tenant, or a client without a key, can use more than its share of a service. None exceeds a rate of the tenant. */
export const attacks: readonly Attack[] = [
  {
    kind: 'requests',
    id: 'many-values',
    title: 'node calls with 500,000 values in just under 1 MiB',
    perSecond: invocationRate,
    atOnce: 32,
    prepare: inTurn((target) => [
      nodeCall(target, 'Echo', manyNumbers(mebibyte - 1_024)),
      nodeCall(target, 'Echo', emptyObjects(mebibyte - 1_024)),
    ]),
  },
  {
    kind: 'requests',
    id: 'junk',
    title: '1 MB of junk to management routes',
    perSecond: tenantRate,
    atOnce: 32,
    prepare: inTurn(() => [
      { method: 'POST', path: '/api/v1/graphs/compile', body: `{"nodes":[${manyZeros(mebibyte - 1_024)}]}` },
      { method: 'POST', path: '/api/v1/clients', body: unknownKeys(mebibyte - 1_024) },
      { method: 'POST', path: '/api/v1/instances', body: emptyObjects(mebibyte - 1_024) },
      { method: 'POST', path: '/api/adapters/preview', body: Buffer.alloc(mebibyte - 1_024, 0xf8) },
      { method: 'POST', path: '/api/v1/api-keys', body: openBrackets(mebibyte - 1_024) },
    ]),
  },
  {
    kind: 'requests',
    id: 'large-inputs',
    title: 'node inputs of 6 MB',
    perSecond: invocationRate,
    atOnce: 64,
    prepare: inTurn((target) => [nodeCall(target, 'Echo', smallItems(6_000_000))]),
  },
  {
    kind: 'requests',
    id: 'brackets',
    title: '10 million levels of `[` with an app key',
    perSecond: invocationRate,
    atOnce: 32,
    prepare: inTurn(({ graphs }) => [{ ...invoke(graphs.echo, openBrackets(10_000_000)), key: 'app' }]),
  },
  {
    kind: 'requests',
    id: 'empty-objects',
    title: '16.5 MB of `{}` with an app key',
    perSecond: invocationRate,
    atOnce: 32,
    prepare: inTurn(({ graphs }) => [{ ...invoke(graphs.echo, emptyObjects(16_500_000)), key: 'app' }]),
  },
  {
    kind: 'requests',
    id: 'nested-protos',
    title: 'protos of 100,000 nested messages',
    perSecond: tenantRate,
    atOnce: 12,
    prepare: publications((packageName) => nestedMessages(packageName, 100_000)),
  },
  {
    kind: 'requests',
    id: 'many-messages',
    title: 'protos of 10,000 messages',
    perSecond: tenantRate,
    atOnce: 12,
    prepare: publications((packageName) => manyMessages(packageName, 10_000)),
  },
  {
    kind: 'requests',
    id: 'preview-bombs',
    title: 'costly expressions in previews',
    perSecond: tenantRate,
    atOnce: 16,
    prepare: inTurn(({ handle }) => expressionBombs.map((expression) => preview(handle, expression))),
  },
  {
    kind: 'requests',
    id: 'flow-bombs',
    title: 'costly expressions in flows',
    perSecond: invocationRate,
    atOnce: 64,
    prepare: (target) =>
      target.graphs.bombs.length > 0 ? runs(({ bombs }) => bombs)(target) : compilations(target),
  },
  {
    kind: 'requests',
    id: 'hanging-containers',
    title: 'containers that never answer',
    perSecond: invocationRate,
    atOnce: 1_000,
    prepare: (target) => {
      const run = runs(({ hang }) => [hang])(target);
      return (n) => (n % 2 === 0 ? run(n) : nodeCall(target, 'Hang', '{}'));
    },
  },
  {
    kind: 'requests',
    id: 'chatty-containers',
    title: 'containers that log without end',
    perSecond: invocationRate,
    atOnce: 1_000,
    prepare: (target) => {
      const run = runs(({ chatty }) => [chatty])(target);
      return (n) => (n % 2 === 0 ? run(n) : nodeCall(target, 'Chatty', '{}'));
    },
  },
  {
    kind: 'stall',
    id: 'stalled-connections',
    title: '3,000 connections without a key that stall',
    connections: 3_000,
    opensPerSecond: 1_000,
    heads: [
      '',
      'GET /healthz HTTP/1.1\r\nHost: svc\r\nX-Slow: ',
      'POST /invocations/v1/flows/invoke HTTP/1.1\r\nHost: svc\r\nContent-Length: 1000000\r\n\r\n{',
    ],
  },
  {
    kind: 'flood',
    id: 'unknown-routes',
    title: 'unknown routes without a key at full speed',
    connections: 32,
    request: 'GET /there/is/no/such/route HTTP/1.1\r\nHost: svc\r\n\r\n',
  },
];

function preview(handle: string, expression: string): AttackRequest {
  const numbers = Array.from({ length: 400 }, (_, n) => n);
  const message = `${handle}.tools.v1.Bulk`;
  const body = {
    dst_msg_name: message,
    sources: [{ edge_id: 'a', msg_name: message, sample: { text: 'a', numbers } }],
    adapter: { text: expression },
  };
  return { method: 'POST', path: '/api/adapters/preview', body: JSON.stringify(body) };
}

function manyZeros(bytes: number): string {
  return Array.from({ length: Math.floor(bytes / 2) - 16 }, () => '0').join(',');
}
