import { cancelExecution } from '../../../specs/operations/executions.ts';
import { invokeFlow } from '../../../specs/operations/flows.ts';
import { appKeyOf, requireGraph } from '../../access/app-key-reach.ts';
import type { Engine, Invoked } from '../../engine/engine.ts';
import type { GraphLoader } from '../../engine/graph/load-graph.ts';
import type { LoadedGraph } from '../../engine/graph/loaded-graph.ts';
import { executionNotFound } from '../../errors/execution-errors.ts';
import { flowNotFound } from '../../errors/flow-errors.ts';
import type { Conversion } from '../../messages/conversion.ts';
import type { MessageWorkers } from '../../messages/message-workers.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { readTraceparent } from '../../telemetry/trace-context.ts';
import { bind, type Route } from '../bind.ts';
import { type FlowRequest, readFlowRequest } from '../flow-request.ts';
import { type InvocationEnd, presentInvocation, type RunOutput } from '../present/invocation.ts';
import { presentExecution } from '../present/execution.ts';

export interface FlowRouteOptions {
  db: Database;
  engine: Engine;
  graphs: GraphLoader;
  messages: MessageWorkers;
}

/** Runs of flows (SPEC.md, POST /v1/flows/invoke). */
export function flowRoutes({ db, engine, graphs, messages }: FlowRouteOptions): Route[] {
  /** The entry's input, or why what was sent is none: which the run then fails with. */
  const convertInput = ({ input }: FlowRequest, loaded: LoadedGraph): Promise<Conversion<Uint8Array>> => {
    const { registry, input: type } = loaded.node(loaded.graph.entry);
    return input.form === 'json'
      ? messages.convert('json-to-bytes', { registry, typeName: type.typeName, input: input.text })
      : messages.convert('check-bytes', { registry, typeName: type.typeName, input: input.bytes });
  };

  /** Bytes for bytes, JSON for JSON where there is such a form. */
  const convertOutput = async (
    bytes: Uint8Array,
    form: RunOutput['form'],
    loaded: LoadedGraph,
  ): Promise<RunOutput> => {
    if (form === 'bytes') return { form, bytes };
    const { registry, output: type } = loaded.node(loaded.graph.terminal);
    const json = await messages.convert('bytes-to-json', { registry, typeName: type.typeName, input: bytes });
    return json.ok ? { form, text: json.value } : { form: 'bytes', bytes };
  };

  /** The flow that a run of a repeated key is of, which may be another than the one asked for. */
  const firstFlowOf = async (
    tenantId: string,
    { executionId }: Invoked,
    asked: LoadedGraph,
  ): Promise<LoadedGraph> => {
    const first = await findExecution(db.knex, tenantId, executionId);
    if (!first?.graphId || first.graphId === asked.graph.graphId) return asked;
    return (await graphs.load(tenantId, first.graphId)) ?? asked;
  };

  return [
    bind(invokeFlow, async ({ principal, body, headers, signal }) => {
      const { tenant } = principal;
      const request = readFlowRequest(body, headers, appKeyOf(principal));
      requireGraph(principal, request.graphId);
      const asked = await graphs.load(tenant.id, request.graphId);
      if (!asked) throw flowNotFound();
      const { graphId, configId, debugSessionId, idempotency, wait, timeoutSeconds } = request;
      const input = await convertInput(request, asked);
      const invoked = await engine.invoke(tenant, {
        graphId,
        input: input.ok ? input.value : undefined,
        inputError: input.ok ? undefined : input.error.message,
        configId,
        debugSessionId,
        invokedBy: readTraceparent(headers.traceparent),
        startedBy: appKeyOf(principal),
        idempotency,
      });
      const { executionId } = invoked;
      const flow = invoked.duplicate ? await firstFlowOf(tenant.id, invoked, asked) : asked;
      const present = (end: InvocationEnd) => ({
        status: 202,
        body: presentInvocation({ executionId, end, mockedNodes: flow.graph.mockedNodes }),
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
      });
      if (!wait) return present({ kind: 'started' });
      const waitsSince = performance.now();
      const end = await engine.wait(tenant.id, executionId, { timeoutMs: timeoutSeconds * 1_000, signal });
      if (end.kind === 'running') {
        // Less than was asked for when the process is about to end.
        const waitedSeconds = Math.min(timeoutSeconds, Math.floor((performance.now() - waitsSince) / 1_000));
        return present({ kind: 'running', waitedSeconds });
      }
      if (end.kind !== 'completed') return present(end);
      const output = await convertOutput(end.output, request.input.form, flow);
      return present({ ...end, output });
    }),
    bind(cancelExecution, async ({ principal, params }) => {
      const tenantId = principal.tenant.id;
      await engine.cancel(tenantId, params.execution_id);
      const execution = await findExecution(db.knex, tenantId, params.execution_id);
      if (!execution) throw executionNotFound();
      return { status: 200, body: presentExecution(execution, undefined) };
    }),
  ];
}
