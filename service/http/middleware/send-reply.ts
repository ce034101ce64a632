import type { Context } from 'koa';
import type { ApiError } from '../../errors/api-error.ts';
import type { Reply } from '../request-context.ts';

/** Writes a handler's answer: objects as JSON, text and bytes as they are. */
export function sendReply(ctx: Context, reply: Reply): void {
  ctx.status = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) ctx.set(name, value);
  if (reply.body === undefined) {
    ctx.body = null;
    ctx.status = reply.status;
  } else if (reply.body instanceof Uint8Array) {
    ctx.body = Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength);
  } else if (typeof reply.body === 'string') {
    ctx.body = reply.body;
  } else {
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.body = JSON.stringify(reply.body);
  }
}

/** The one place that turns a refusal into an answer. */
export function sendError(ctx: Context, error: ApiError): void {
  ctx.status = error.status;
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
  if (typeof error.body === 'string') {
    ctx.set('Content-Type', 'text/plain; charset=utf-8');
    ctx.body = error.body;
  } else {
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.body = JSON.stringify(error.body);
  }
}
