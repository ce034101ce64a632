import { cancelExecution, forkExecution } from '../../../specs/operations/executions.ts';
import { invokeFlow, streamFlow } from '../../../specs/operations/flows.ts';
import { appKeyOf, requireGraph } from '../../access/app-key-reach.ts';
import type { Principal } from '../../access/principal.ts';
import type { QuotaUse } from '../../access/quota-use.ts';
import type { Engine } from '../../engine/engine.ts';
import type { LoadedGraph } from '../../engine/graph/loaded-graph.ts';
import { executionNotFound } from '../../errors/execution-errors.ts';
import { executionHeader } from '../../errors/node-errors.ts';
import type { ConversionCaller, MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { OutputFrame } from '../../nodes/call/direct-output.ts';
import { formatMessage } from '../../nodes/call/message-form.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { journalHeads } from '../../store/journal-heads.ts';
import { readTraceparent } from '../../telemetry/trace-context.ts';
import { bind, type Route } from '../bind.ts';
import { flowBody, type FlowRequest, readFlowRequest, readForkRequest } from '../request/flow-request.ts';
import { type InvocationEnd, presentFork, presentInvocation, type RunOutput } from '../present/invocation.ts';
import { presentExecution } from '../present/execution.ts';
import { presentFrames } from '../present/stream-frame.ts';
import type { UnreadJson } from '../request/unread-json.ts';
import type { RequestHeaders } from '../request-headers.ts';

interface FlowRouteOptions {
  db: Database;
  engine: Pick<Engine, 'invoke' | 'stream' | 'fork' | 'wait' | 'cancel'>;
  messages: MessageWorkers;
  quotaUse: QuotaUse;
}

/** Runs of flows. */
export function flowRoutes({ db, engine, messages, quotaUse }: FlowRouteOptions): Route[] {
  /** Returns JSON for JSON input and bytes for bytes. Returns bytes for an output that has no JSON form. */
  const readOutput = async (
    bytes: Uint8Array,
    form: RunOutput['form'],
    flow: LoadedGraph,
    caller: ConversionCaller,
  ): Promise<RunOutput> => {
    const { registry, output } = flow.node(flow.graph.terminal);
    const task = { registry, typeName: output.typeName, ...caller, accepted: true };
    const read = await formatMessage(messages, task, bytes, form);
    return read.ok ? read.value : { form: 'bytes', bytes };
  };

  /**
   * Reads a request together with the tenant's quota usage. Refuses a flow that the caller may not invoke.
   */
  const readRequest = async ({
    principal,
    body,
    headers,
  }: {
    principal: Principal;
    body: UnreadJson;
    headers: RequestHeaders;
  }) => {
    const [usage, json] = await Promise.all([
      quotaUse.of(principal.tenant),
      body.read({
        ...flowBody,
        onMember: (name, text) => {
          if (name === 'graph_id') requireNamedGraph(principal, text);
        },
      }),
    ]);
    const request = readFlowRequest(json, headers, appKeyOf(principal));
    requireGraph(principal, request.graphId);
    return { usage, request };
  };

  /** Waits for a run, if requested. */
  const endOf = async (
    { executionId, flow, form }: { executionId: string; flow: LoadedGraph; form: RunOutput['form'] },
    { wait, timeoutSeconds }: Pick<FlowRequest, 'wait' | 'timeoutSeconds'>,
    caller: ConversionCaller & { signal: AbortSignal },
  ): Promise<InvocationEnd> => {
    if (!wait) return { kind: 'started' };
    const waitsSince = performance.now();
    const { tenantId, signal } = caller;
    const end = await engine.wait(tenantId, executionId, { timeoutMs: timeoutSeconds * 1_000, signal });
    if (end.kind === 'completed') return { ...end, output: await readOutput(end.output, form, flow, caller) };
    if (end.kind !== 'running') return end;
    // Shorter than requested if the process is shutting down.
    const waitedSeconds = Math.min(timeoutSeconds, Math.floor((performance.now() - waitsSince) / 1_000));
    return { kind: 'running', waitedSeconds };
  };

  return [
    bind(invokeFlow).to(async ({ principal, body, headers, signal }) => {
      const { tenant } = principal;
      const { usage, request } = await readRequest({ principal, body, headers });
      const { graphId, input, configId, debugSessionId, idempotency, wait, timeoutSeconds } = request;
      const { executionId, flow, duplicate, otherInput } = await engine.invoke(tenant, {
        graphId,
        input,
        configId,
        debugSessionId,
        invokedBy: readTraceparent(headers.traceparent),
        startedBy: appKeyOf(principal),
        idempotency,
        signal,
        usage,
      });
      const run = { executionId, flow, form: input.form };
      const end = await endOf(run, { wait, timeoutSeconds }, { tenantId: tenant.id, signal });
      const { mockedNodes } = flow.graph;
      return {
        status: 202,
        body: presentInvocation({ executionId, end, mockedNodes }),
        headers: duplicate ? replayHeaders({ otherFlow: flow.graph.graphId !== graphId, otherInput }) : {},
      };
    }),
    bind(forkExecution).to(async ({ principal, params, body, headers, signal }) => {
      const { tenant } = principal;
      const [usage, json] = await Promise.all([quotaUse.of(tenant), body.read(flowBody)]);
      const request = readForkRequest(json, headers, params.execution_id);
      const { checkpointId, input, configId, debugSessionId, idempotency } = request;
      const { executionId, flow, duplicate } = await engine.fork(tenant, {
        executionId: params.execution_id,
        checkpointId,
        input,
        configId,
        debugSessionId,
        invokedBy: readTraceparent(headers.traceparent),
        idempotency,
        signal,
        usage,
      });
      const run = { executionId, flow, form: input?.form ?? 'json' };
      const end = await endOf(run, request, { tenantId: tenant.id, signal });
      const { mockedNodes } = flow.graph;
      const execution = await findExecution(db, tenant.id, executionId);
      const forkedFrom = execution?.forkedFromExecutionId ?? null;
      return {
        status: 202,
        body: presentFork({ executionId, end, mockedNodes }, forkedFrom),
        headers: duplicate ? forkReplayHeaders(params.execution_id, forkedFrom) : {},
      };
    }),
    bind(streamFlow).to(async ({ principal, body, headers, signal }) => {
      const { tenant } = principal;
      const { usage, request } = await readRequest({ principal, body, headers });
      const { graphId, input, configId, debugSessionId, timeoutSeconds } = request;
      const { executionId, flow, frames } = await engine.stream(tenant, {
        graphId,
        input,
        configId,
        debugSessionId,
        invokedBy: readTraceparent(headers.traceparent),
        startedBy: appKeyOf(principal),
        signal,
        usage,
        timeoutMs: timeoutSeconds * 1_000,
      });
      const asJson = async function* (): AsyncGenerator<OutputFrame, void, undefined> {
        for await (const frame of frames) {
          if (frame.kind === 'end') {
            yield frame;
            continue;
          }
          const output = await readOutput(frame.bytes, 'json', flow, { tenantId: tenant.id, signal });
          yield { kind: 'frame', json: output.form === 'json' ? output.text : undefined };
        }
      };
      return {
        status: 200,
        kind: 'events',
        body: presentFrames(executionId, asJson()),
        atOnce: true,
        headers: executionHeader(executionId),
      };
    }),
    bind(cancelExecution).to(async ({ principal, params }) => {
      const tenantId = principal.tenant.id;
      await engine.cancel(tenantId, params.execution_id);
      const execution = await findExecution(db, tenantId, params.execution_id);
      if (!execution) throw executionNotFound();
      const heads = await journalHeads(db.knex, tenantId, [execution.id]);
      return { status: 200, body: presentExecution(execution, heads.get(execution.id)) };
    }),
  ];
}

/**
 * Returns headers that state that the request started nothing, and how the earlier request with the same key
 * differs.
 */
function replayHeaders(earlier: { otherFlow: boolean; otherInput: boolean }): Record<string, string> {
  const differences = [earlier.otherFlow && 'graph_id', earlier.otherInput && 'input'].filter(Boolean);
  return {
    'Idempotency-Replayed': 'true',
    ...(differences.length > 0 && { 'Idempotency-Mismatch': differences.join(', ') }),
  };
}

function forkReplayHeaders(parent: string, earlierParent: string | null): Record<string, string> {
  return {
    'Idempotency-Replayed': 'true',
    ...(earlierParent !== parent && { 'Idempotency-Mismatch': 'execution_id' }),
  };
}

/** Refuses an app key as soon as its request names a graph. Whether the text is a valid `graph_id` is checked with the whole body. */
function requireNamedGraph(principal: Principal, json: Buffer): void {
  const [graphId] = /^"([^"\\]+)"$/.exec(json.toString())?.slice(1) ?? [];
  if (graphId !== undefined) requireGraph(principal, graphId);
}
