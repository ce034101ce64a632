import { createHash, timingSafeEqual } from 'node:crypto';
import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';

/** Ends every call without this token as UNAUTHENTICATED, before its handler sees it. Tokens are compared in constant time. */
export function requireToken(token: string): ServerInterceptor {
  const expected = digest(`Bearer ${token}`);
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const given = authorization(metadata);
            if (given !== undefined && timingSafeEqual(digest(given), expected)) pass(metadata);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: refusal(given), metadata: null });
          },
        }),
    });
}

function authorization(metadata: Metadata): string | undefined {
  const [value] = metadata.get('authorization');
  return value?.toString();
}

function refusal(given: string | undefined): string {
  return given === undefined
    ? 'the call has no token'
    : 'the token of the call is not the one of this container';
}

/** Returns a digest, which has the same length for texts of all lengths, as `timingSafeEqual` requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
