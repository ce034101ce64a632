import { type Client, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { CallSetting } from './call-invoke.ts';
import { asBuffer } from './wire-bytes.ts';

interface UnaryOutcome<T> {
  /** The status of a call that failed. */
  error: ServiceError | null;
  /** The response. Undefined if the call failed. */
  value: T | undefined;
}

/**
 * Calls a unary method of a container other than a node call. Never rejects.
 *
 * @param path for example `/svc.node.v1.NodeContainer/Warm`
 * @param read parses the response; the call fails if it throws
 */
export function callUnary<T>(
  client: Client,
  path: string,
  request: Uint8Array,
  read: (bytes: Buffer) => T,
  { deadline, signal }: Pick<CallSetting, 'deadline' | 'signal'>,
): Promise<UnaryOutcome<T>> {
  return new Promise((resolve) => {
    const answered = (error: ServiceError | null, value?: T): void => {
      signal?.removeEventListener('abort', cancel);
      resolve({ error, value });
    };
    const call = client.makeUnaryRequest(
      path,
      asBuffer,
      read,
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
