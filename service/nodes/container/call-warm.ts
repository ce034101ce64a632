import { create, toBinary } from '@bufbuild/protobuf';
import { type Client, status } from '@grpc/grpc-js';
import type { CallSetting } from './call-invoke.ts';
import { callUnary } from './call-unary.ts';
import { WarmRequestSchema } from './protocol.ts';
import { statusText } from './transport-failure.ts';

/** The nodes that a container prepares for. */
export interface WarmCall {
  tenantId: string;
  /** Names in its package. */
  nodes: readonly string[];
}

/** `not_offered`: the container does not implement `Warm`, which is optional. */
export type WarmOutcome = { kind: 'warm' | 'not_offered' } | { kind: 'failed'; message: string };

const path = '/svc.node.v1.NodeContainer/Warm';

/**
 * Calls the method `Warm`. Never rejects.
 *
 * @param deadline epoch milliseconds of the machine's clock
 */
export async function callWarm(
  client: Client,
  { tenantId, nodes }: WarmCall,
  setting: Pick<CallSetting, 'deadline' | 'signal'>,
): Promise<WarmOutcome> {
  const request = toBinary(WarmRequestSchema, create(WarmRequestSchema, { tenantId, nodes: [...nodes] }));
  // WarmResponse has no fields, and fields of later versions are ignored, so its bytes are not parsed.
  const { error } = await callUnary(client, path, request, () => undefined, setting);
  if (!error) return { kind: 'warm' };
  if (error.code === status.UNIMPLEMENTED) return { kind: 'not_offered' };
  return { kind: 'failed', message: statusText(error) };
}
