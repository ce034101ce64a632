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
