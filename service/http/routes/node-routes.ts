import { limits } from '../../../specs/limits.ts';
import { invokeNodeBinary, invokeNodeByPath, invokeNodeByUlid } from '../../../specs/operations/nodes.ts';
import { ApiError } from '../../errors/api-error.ts';
import { eventStreamNotAvailable, executionHeader, streamedIntoUnary } from '../../errors/node-errors.ts';
import { bodyTooLarge } from '../../errors/request-errors.ts';
import type { MessageWorkers } from '../../messages/message-workers.ts';
import type { NodeCaller } from '../../nodes/call-node.ts';
import type { NodeResolver, ResolvedNode } from '../../nodes/resolve-node.ts';
import type { Tenant } from '../../store/tenants.ts';
import { readTraceparent } from '../../telemetry/trace-context.ts';
import { bind, type Route } from '../bind.ts';
import type { Reply } from '../request-context.ts';

export interface NodeRouteOptions {
  resolver: NodeResolver;
  callNode: NodeCaller;
  messages: MessageWorkers;
}

/** Direct calls of nodes (SPEC.md, Single node and its binary variant). */
export function nodeRoutes({ resolver, callNode, messages }: NodeRouteOptions): Route[] {
  const callWithJson = async (
    resolved: ResolvedNode,
    { tenant, body, headers, signal }: JsonCall,
  ): Promise<Reply> => {
    refuseStreams(resolved, headers);
    const { registry, node } = resolved;
    const { executionId, output } = await callNode({
      tenant,
      resolved,
      signal,
      invokedBy: readTraceparent(headers.traceparent),
      input: () =>
        messages.convert('json-to-bytes', { registry, typeName: node.inputMessage ?? '', input: body }),
      output: (bytes) =>
        messages.convert('bytes-to-json', { registry, typeName: node.outputMessage ?? '', input: bytes }),
    });
    return {
      status: 200,
      body: output,
      headers: { 'Content-Type': 'application/json; charset=utf-8', ...executionHeader(executionId) },
    };
  };

  return [
    bind(invokeNodeBinary, async ({ principal, body, headers, signal }) => {
      const input = Buffer.from(body.payload, 'base64');
      if (input.length > limits.inputBytes) throw bodyTooLarge('node', limits.inputBytes, input.length);
      const { tenant } = principal;
      return inBinaryEnvelope(async () => {
        const resolved = await resolver.byUlid(tenant.id, body.node_id);
        const { registry, node } = resolved;
        const { executionId, output } = await callNode({
          tenant,
          resolved,
          signal,
          invokedBy: readTraceparent(headers.traceparent),
          input: () =>
            messages.convert('check-bytes', { registry, typeName: node.inputMessage ?? '', input }),
          output: (bytes) => Promise.resolve({ ok: true, value: bytes }),
        });
        return {
          status: 200,
          body: { success: true, payload: Buffer.from(output).toString('base64') },
          headers: executionHeader(executionId),
        };
      });
    }),
    bind(invokeNodeByUlid, async ({ principal, params, body, headers, signal }) => {
      const { tenant } = principal;
      const resolved = await resolver.byUlid(tenant.id, params.node_ulid);
      return callWithJson(resolved, { tenant, body, headers, signal });
    }),
    bind(invokeNodeByPath, async ({ principal, params, body, headers, signal }) => {
      const { tenant } = principal;
      const resolved = await resolver.byPath(tenant.id, params);
      return callWithJson(resolved, { tenant, body, headers, signal });
    }),
  ];
}

interface JsonCall {
  tenant: Tenant;
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  signal: AbortSignal;
}

/** NDJSON and `Accept: text/event-stream` ask for streams (SPEC.md, Streamed input, rule 1). */
function refuseStreams({ node }: ResolvedNode, headers: JsonCall['headers']): void {
  const ndjson = String(headers['content-type'] ?? '').startsWith('application/x-ndjson');
  if (ndjson && node.mode === 'unary') throw streamedIntoUnary(node.name);
  const asEvents = String(headers.accept ?? '').includes('text/event-stream');
  if (asEvents && node.mode === 'unary') throw eventStreamNotAvailable(node.name);
}

/** The binary variant says of every refusal that it is one: `{success: false, error_message}`. */
async function inBinaryEnvelope(call: () => Promise<Reply>): Promise<Reply> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || typeof error.body === 'string') throw error;
    throw new ApiError(error.status, { success: false, ...error.body }, error.headers);
  }
}
