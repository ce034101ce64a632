import type { Operation } from '../../../specs/operations/operation.ts';

/** What the gate reads of a request, whether it is an HTTP request or a WebSocket upgrade. */
export interface GateRequest {
  operation: Pick<Operation, 'family' | 'path' | 'caller' | 'scope' | 'anyOrigin'>;
  /** The `Authorization` header. */
  authorization: string | undefined;
  /** The `Origin` header, which browsers send. */
  origin: string | undefined;
  /** IP address of the connection. */
  address: string;
}
