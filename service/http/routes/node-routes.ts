import { invokeNodeBinary, invokeNodeByPath, invokeNodeByUlid } from '../../../specs/operations/nodes.ts';
import type { Principal } from '../../access/principal.ts';
import type { QuotaUse } from '../../access/quota-use.ts';
import { ApiError } from '../../errors/api-error.ts';
import { eventStreamNotAvailable, executionHeader, streamedIntoUnary } from '../../errors/node-errors.ts';
import type { DirectCalls } from '../../nodes/call/direct-call.ts';
import type { NodeReference, PublishedNode } from '../../nodes/published-nodes.ts';
import { readTraceparent } from '../../telemetry/trace-context.ts';
import { bind, type Route } from '../bind.ts';
import type { Answer } from '../answer/answer.ts';
import { RawJson } from '../answer/raw-json.ts';
import { binaryCallBody, readBinaryCall } from '../request/binary-call.ts';
import type { UnreadJson } from '../request/unread-json.ts';

interface NodeRouteOptions {
  directCalls: Pick<DirectCalls, 'find' | 'invoke'>;
  quotaUse: QuotaUse;
}

/** Direct calls of nodes. */
export function nodeRoutes({ directCalls, quotaUse }: NodeRouteOptions): Route[] {
  const callWithJson = async (
    reference: NodeReference,
    { principal, body, headers, signal }: JsonCall,
  ): Promise<Answer<typeof invokeNodeByUlid>> => {
    const { tenant } = principal;
    const [found] = await Promise.all([
      directCalls.find(tenant.id, reference),
      quotaUse.requireInvocation(tenant),
    ]);
    refuseStreams(found, headers);
    const { bytes, values } = await body.read();
    const { executionId, output } = await directCalls.invoke({
      tenant,
      found,
      input: { form: 'json', text: bytes, values },
      signal,
      invokedBy: readTraceparent(headers.traceparent),
    });
    return {
      status: 200,
      body: new RawJson(output.text),
      headers: executionHeader(executionId),
    };
  };

  return [
    bind(invokeNodeBinary).to(({ principal, body, headers, signal }) =>
      inBinaryEnvelope(async () => {
        const { tenant } = principal;
        await quotaUse.requireInvocation(tenant);
        const { nodeId, bytes } = readBinaryCall(await body.read(binaryCallBody));
        const { executionId, output } = await directCalls.invoke({
          tenant,
          found: await directCalls.find(tenant.id, { ulid: nodeId }),
          input: { form: 'bytes', bytes },
          signal,
          invokedBy: readTraceparent(headers.traceparent),
        });
        return {
          status: 200,
          body: { success: true, payload: Buffer.from(output.bytes).toString('base64') },
          headers: executionHeader(executionId),
        };
      }),
    ),
    bind(invokeNodeByUlid).to(({ principal, params, body, headers, signal }) =>
      callWithJson({ ulid: params.node_ulid }, { principal, body, headers, signal }),
    ),
    bind(invokeNodeByPath).to(({ principal, params, body, headers, signal }) =>
      callWithJson(params, { principal, body, headers, signal }),
    ),
  ];
}

interface JsonCall {
  principal: Principal;
  body: UnreadJson;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  signal: AbortSignal;
}

/** Refuses requests for streams: NDJSON bodies and `Accept: text/event-stream`. */
function refuseStreams({ node }: PublishedNode, headers: JsonCall['headers']): void {
  const ndjson = String(headers['content-type'] ?? '').startsWith('application/x-ndjson');
  if (ndjson && node.mode === 'unary') throw streamedIntoUnary(node.name);
  const asEvents = String(headers.accept ?? '').includes('text/event-stream');
  if (asEvents && node.mode === 'unary') throw eventStreamNotAvailable(node.name);
}

/** Adds `success: false` to every refusal of the binary variant. */
async function inBinaryEnvelope<A>(call: () => Promise<A>): Promise<A> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || typeof error.body === 'string') throw error;
    throw new ApiError(error.status, { success: false, ...error.body }, error.headers);
  }
}
