import { create, toBinary } from '@bufbuild/protobuf';
import { type Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { CallSetting } from './call-invoke.ts';
import { WarmRequestSchema } from './protocol.ts';
import { statusText } from './transport-failure.ts';
import { asBuffer } from './wire-bytes.ts';

/** The nodes that a container prepares for. */
export interface WarmCall {
  tenantId: string;
  /** Names in its package. */
  nodes: readonly string[];
}

/** `not_offered`: the container does not implement `Warm`, which is optional. */
export type WarmOutcome = { kind: 'warm' | 'not_offered' } | { kind: 'failed'; message: string };

const path = '/svc.node.v1.NodeContainer/Warm';

/** Calls the method `Warm`. Never rejects. @param deadline epoch milliseconds of the machine's clock */
export function callWarm(
  client: Client,
  { tenantId, nodes }: WarmCall,
  { deadline, signal }: Pick<CallSetting, 'deadline' | 'signal'>,
): Promise<WarmOutcome> {
  const request = toBinary(WarmRequestSchema, create(WarmRequestSchema, { tenantId, nodes: [...nodes] }));
  return new Promise((resolve) => {
    const answered = (error: ServiceError | null): void => {
      signal?.removeEventListener('abort', cancel);
      if (!error) resolve({ kind: 'warm' });
      else if (error.code === status.UNIMPLEMENTED) resolve({ kind: 'not_offered' });
      else resolve({ kind: 'failed', message: statusText(error) });
    };
    // WarmResponse has no fields, and fields of later versions are ignored, so its bytes are not parsed.
    const call = client.makeUnaryRequest(
      path,
      asBuffer,
      () => undefined,
      request,
      new Metadata(),
      { deadline },
      answered,
    );
    const cancel = (): void => call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
  });
}
