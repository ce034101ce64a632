import type { Operation } from '../../../specs/operations/operation.ts';

/** The parts of a request that the gate reads, for ordinary requests and WebSocket requests alike. */
export interface GateRequest {
  operation: Pick<Operation, 'family' | 'path' | 'caller' | 'scope' | 'anyOrigin'>;
  /** The `Authorization` header, or a header made from the subprotocol of a WebSocket request. */
  authorization: string | undefined;
  /** The `Origin` header, which browsers send. */
  origin: string | undefined;
  /** IP address of the connection. */
  address: string;
}
