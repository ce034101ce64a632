import { limits } from '../../../specs/limits.ts';
import * as operations from '../../../specs/operations/streams.ts';
import type { QuotaUse } from '../../access/quota-use.ts';
import { executionHeader } from '../../errors/node-errors.ts';
import type { SplitStreams } from '../../nodes/split/split-streams.ts';
import { readTraceparent } from '../../telemetry/trace-context.ts';
import { bind, type Route } from '../bind.ts';
import { presentFrames } from '../present/stream-frame.ts';
import { readEventId } from '../request/event-id.ts';
import { messagesOf } from '../request/messages-of-lines.ts';
import { readNodeReference } from '../request/node-reference.ts';

interface StreamRouteOptions {
  streams: Pick<SplitStreams, 'create' | 'upload' | 'read'>;
  quotaUse: QuotaUse;
  /** Address of the service, without a trailing slash. */
  baseUrl: () => string;
}

/** Streams of pipeline nodes in three requests. */
export function streamRoutes({ streams, quotaUse, baseUrl }: StreamRouteOptions): Route[] {
  return [
    bind(operations.createStream).to(async ({ principal, body }) => {
      const { id } = await streams.create(principal.tenant, readNodeReference(body.node_ref));
      const url = `${baseUrl()}/invocations/v1/nodes/streams/${id}`;
      return {
        status: 201,
        body: {
          stream_id: id,
          input_url: `${url}/input`,
          output_url: `${url}/output`,
          expires_in: limits.splitStreamSeconds,
        },
      };
    }),
    bind(operations.uploadStream).to(async ({ principal, params, body, headers, signal }) => {
      const { tenant } = principal;
      const streamId = params.stream_id;
      await quotaUse.requireInvocation(tenant);
      const { executionId, inputFrames } = await streams.upload({
        tenant,
        streamId,
        input: messagesOf(body),
        signal,
        invokedBy: readTraceparent(headers.traceparent),
      });
      return {
        status: 200,
        body: { stream_id: streamId, execution_id: executionId, input_frames: inputFrames },
        headers: executionHeader(executionId),
      };
    }),
    bind(operations.readStream).to(async ({ principal, params, headers, signal }) => {
      const after = readEventId(headers['last-event-id']);
      const output = await streams.read(principal.tenant.id, params.stream_id, { after, signal });
      if (!output) return { status: 204 };
      const { executionId, from, frames } = output;
      return {
        status: 200,
        kind: 'events',
        body: presentFrames(executionId, frames, from),
        firstId: from,
        atOnce: true,
        headers: executionHeader(executionId),
      };
    }),
  ];
}
