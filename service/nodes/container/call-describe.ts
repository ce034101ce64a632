import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Client, status } from '@grpc/grpc-js';
import { limits } from '../../../specs/limits.ts';
import type { CallSetting } from './call-invoke.ts';
import { callUnary } from './call-unary.ts';
import { callFailed, type NodeUnreachable } from './invoke-outcome.ts';
import { DescribeRequestSchema, DescribeResponseSchema, type ServedPackage } from './protocol.ts';
import { callText, transportFailure } from './transport-failure.ts';
import { asBytes } from './wire-bytes.ts';

/** What a container reports that it serves. `not_offered`: it does not implement `Describe`, which is optional. */
export type Description = { kind: 'described'; packages: readonly ServedPackage[] } | { kind: 'not_offered' };

/** What a container serves, or why it could not be reached. */
export type DescribeOutcome = Description | NodeUnreachable;

const path = '/svc.node.v1.NodeContainer/Describe';
const request = toBinary(DescribeRequestSchema, create(DescribeRequestSchema));

/** Calls the method `Describe`. Never rejects. */
export async function callDescribe(
  client: Client,
  { deadline, timeoutMs, signal }: Omit<CallSetting, 'listener'>,
): Promise<DescribeOutcome> {
  const { error, value } = await callUnary(client, path, request, readPackages, { deadline, signal });
  if (!error) return { kind: 'described', packages: value ?? [] };
  if (error.code === status.UNIMPLEMENTED) return { kind: 'not_offered' };
  const failure = transportFailure(error, { cancelled: signal?.aborted === true, deadline, timeoutMs });
  if (failure.cause === 'connect' || failure.cause === 'cancelled') return failure;
  const reason = failure.cause === 'deadline' ? `no answer within ${timeoutMs} ms` : callText(error);
  return callFailed('call', `the container did not describe what it serves: ${reason}`);
}

/** The response is read on the main thread, so its size is limited. */
function readPackages(bytes: Buffer): ServedPackage[] {
  if (bytes.length > limits.describeBytes) {
    throw new Error(`the description has ${bytes.length} bytes, at most ${limits.describeBytes} are read`);
  }
  return fromBinary(DescribeResponseSchema, asBytes(bytes)).packages;
}
