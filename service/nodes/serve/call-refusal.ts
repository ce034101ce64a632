import { status } from '@grpc/grpc-js';

/** A call that never reached its handler; ends with a gRPC status, because it is not the node that failed. */
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

/** What a call that reached no handler ends with. */
export interface CallStatus {
  code: status;
  details: string;
}

/** @param report told of errors that are the host's own */
export function statusOfRefusal(error: unknown, report: (text: string) => void): CallStatus {
  if (error instanceof CallRefusal) return { code: error.code, details: error.message };
  report(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { code: status.INTERNAL, details: 'the host of the handlers failed' };
}
