import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyStalled } from '../../errors/connection-errors.ts';
import { requestIdOf } from '../request-id.ts';
import { closeWith } from './close-with.ts';

/** Bytes that must arrive in each window. */
export interface BodyRate {
  bytes: number;
  windowMs: number;
}

/**
 * Closes the connection if the rest of a body arrives too slowly. Does nothing while the service itself has
 * not read data that has arrived.
 */
export function watchBody(request: IncomingMessage, response: ServerResponse, rate: BodyRate): void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const arrived = socket.bytesRead - seen;
    seen = socket.bytesRead;
    if (arrived >= rate.bytes || request.readableLength > 0) return;
    // Bytes of a response to this request, or to an earlier one, may already be in transit.
    const canAnswer = response.socket === socket && !response.headersSent;
    if (canAnswer) closeWith(socket, bodyStalled(rate), requestIdOf(response));
    else socket.destroy();
  }, rate.windowMs).unref();
  request.once('end', () => clearInterval(timer));
  request.once('close', () => clearInterval(timer));
}
