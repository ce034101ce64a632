import { streamTypes } from '../../../specs/operations/declared-answer.ts';
import { invokeNodeBinary, invokeNodeByPath, invokeNodeByUlid } from '../../../specs/operations/nodes.ts';
import type { Principal } from '../../access/principal.ts';
import type { QuotaUse } from '../../access/quota-use.ts';
import { ApiError } from '../../errors/api-error.ts';
import { executionHeader } from '../../errors/node-errors.ts';
import type { DirectCalls } from '../../nodes/call/direct-call.ts';
import type { OutputFrame } from '../../nodes/call/direct-output.ts';
import type { SentMessage } from '../../nodes/call/message-form.ts';
import type { NodeReference } from '../../nodes/published-nodes.ts';
import { readTraceparent } from '../../telemetry/trace-context.ts';
import { bind, type Route } from '../bind.ts';
import type { Answer } from '../answer/answer.ts';
import { RawJson } from '../answer/raw-json.ts';
import { presentFrames } from '../present/stream-frame.ts';
import { accepts } from '../request/accepts.ts';
import { binaryCallBody, readBinaryCall } from '../request/binary-call.ts';
import { readCallTimeout } from '../request/call-timeout.ts';
import { messagesOf } from '../request/messages-of-lines.ts';
import type { UnreadJson } from '../request/unread-json.ts';
import type { RequestHeaders } from '../request-headers.ts';

interface NodeRouteOptions {
  directCalls: Pick<DirectCalls, 'find' | 'invoke' | 'stream'>;
  quotaUse: QuotaUse;
}

/** Direct node calls. */
export function nodeRoutes({ directCalls, quotaUse }: NodeRouteOptions): Route[] {
  const callWithJson = async (
    reference: NodeReference,
    { principal, body, headers, signal }: JsonCall,
  ): Promise<Answer<typeof invokeNodeByUlid>> => {
    const { tenant } = principal;
    const timeoutMs = readCallTimeout(headers['x-timeout-seconds']);
    const [found] = await Promise.all([
      directCalls.find(tenant.id, reference),
      quotaUse.requireInvocation(tenant),
    ]);
    const caller = { tenant, found, signal, invokedBy: readTraceparent(headers.traceparent) };
    if (!('read' in body) || found.node.mode === 'pipeline') {
      const uploaded = !('read' in body);
      const input = uploaded ? messagesOf(body) : oneMessage(body);
      const { executionId, frames } = await directCalls.stream({
        ...caller,
        input,
        upload: uploaded ? 'half' : undefined,
      });
      return eventsAnswer(executionId, frames);
    }
    const { executionId, output } = await directCalls.invoke({
      ...caller,
      timeoutMs,
      input: await readMessage(body),
    });
    if (accepts(headers.accept, streamTypes.events))
      return eventsAnswer(executionId, framesOfUnary(output.text));
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
        const timeoutMs = readCallTimeout(headers['x-timeout-seconds']);
        await quotaUse.requireInvocation(tenant);
        const { nodeId, bytes } = readBinaryCall(await body.read(binaryCallBody));
        const { executionId, output } = await directCalls.invoke({
          tenant,
          found: await directCalls.find(tenant.id, { ulid: nodeId }),
          input: { form: 'bytes', bytes },
          timeoutMs,
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
  body: UnreadJson | AsyncIterable<string>;
  headers: RequestHeaders;
  signal: AbortSignal;
}

async function readMessage(body: UnreadJson): Promise<SentMessage<'json'>> {
  const { bytes, values } = await body.read();
  return { form: 'json', text: bytes, values };
}

async function* oneMessage(body: UnreadJson): AsyncGenerator<SentMessage<'json'>, void, undefined> {
  yield await readMessage(body);
}

/** The headers are sent at once: a node may take minutes to produce its first frame. */
function eventsAnswer(
  executionId: string,
  frames: AsyncGenerator<OutputFrame, void, undefined>,
): Answer<typeof invokeNodeByUlid> {
  return {
    status: 200,
    kind: 'events',
    body: presentFrames(executionId, frames),
    atOnce: true,
    headers: executionHeader(executionId),
  };
}

/** The output of a unary node as a stream of one frame. */
async function* framesOfUnary(json: string): AsyncGenerator<OutputFrame, void, undefined> {
  yield await Promise.resolve({ kind: 'frame', json } as const);
  yield { kind: 'end' };
}

/** Adds `success: false` to every refusal of the binary variant. */
async function inBinaryEnvelope<A>(call: () => Promise<A>): Promise<A> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || typeof error.body === 'string') throw error;
    throw new ApiError(error.status, error.code, { success: false, ...error.body }, error.headers);
  }
}
