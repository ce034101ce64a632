import { status } from '@grpc/grpc-js';

/** A call did not reach its handler. It ends with a gRPC status, because the node itself has not failed. */
export class CallRefusal extends Error {
  override readonly name = 'CallRefusal';
  readonly code: status;

  constructor(
    code: 'NOT_FOUND' | 'INVALID_ARGUMENT' | 'FAILED_PRECONDITION' | 'UNIMPLEMENTED',
    message: string,
  ) {
    super(message.toWellFormed());
    this.code = status[code];
  }
}

/** The gRPC status of a call that did not reach its handler. */
interface CallStatus {
  code: status;
  details: string;
}

/** @param report receives the host's own errors */
export function statusOfRefusal(error: unknown, report: (text: string) => void): CallStatus {
  if (error instanceof CallRefusal) return { code: error.code, details: error.message };
  report(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { code: status.INTERNAL, details: 'the node host failed' };
}
