import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { limits } from '../limits.ts';
import { rateLimitText, unauthorizedText } from './access-texts.ts';
import { unsupportedEncodingText } from './encoding-text.ts';
import { upgradeRequiredText } from './upgrade-text.ts';
import {
  errorExample,
  invocationRefusal,
  managementError,
  nodeError,
  parameterError,
  refusal,
  sizeRefusal,
} from './error-shapes.ts';
import type { Family } from './operation.ts';

/** A refusal of the gate, in the envelope of the operation's family. */
interface GateRefusal {
  description: string;
  /** Undefined: plain text. */
  shape: z.ZodType | undefined;
  example: object | string;
}

/** Returns the refusal with a status. Every status of `gateStatuses` has one. */
export function gateRefusal(family: Family, status: number): GateRefusal {
  const { shape, withText } = envelopes[family];
  switch (status) {
    case 400:
      return {
        description: 'A parameter or the body is invalid.',
        shape: family === 'invocation' ? z.union([invocationRefusal, parameterError]) : shape,
        example: withText('invalid_body', 'invalid request body: <detail>'),
      };
    case 401:
      return {
        description: 'The key is missing, malformed, unknown, expired or revoked.',
        shape: refusal,
        example: errorExample('unauthorized', unauthorizedText, { error: 'unauthorized' }),
      };
    case 403:
      return {
        description: 'The key may not call this operation, or its tenant is suspended.',
        shape: refusal,
        example: errorExample('missing_scope', scopeText, { error: scopeText }),
      };
    case 413:
      return family === 'invocation' || family === 'node'
        ? {
            description: 'The body is too large.',
            shape: sizeRefusal,
            example: errorExample('payload_too_large', sizeText, {
              error: 'payload_too_large',
              max_bytes: limits.inputBytes,
            }),
          }
        : {
            description: 'The body is too large.',
            shape,
            example: withText('payload_too_large', 'request body too large'),
          };
    case 415:
      return {
        description: 'The body is compressed.',
        shape: family === 'invocation' ? refusal : shape,
        example:
          family === 'invocation'
            ? errorExample('unsupported_encoding', encodingText, { error: 'unsupported_encoding' })
            : withText('unsupported_encoding', encodingText),
      };
    case 426:
      return {
        description: 'The request does not ask for a WebSocket, or for another version of the protocol.',
        shape: family === 'invocation' ? refusal : shape,
        example:
          family === 'invocation'
            ? errorExample('upgrade_required', upgradeText, { error: 'upgrade_required' })
            : withText('upgrade_required', upgradeText),
      };
    case 429:
      return {
        description: 'The rate limit is exceeded.',
        shape: refusal,
        example: errorExample('rate_limited', rateText, { error: 'rate limit exceeded' }),
      };
    case 500:
      return {
        description: 'Unexpected error. The log of the service contains it under the request id.',
        shape,
        example: withText('internal_error', 'internal error (request <id>)'),
      };
    case 503:
      return {
        description: 'The service is temporarily unavailable. Retry later.',
        shape: refusal,
        example: errorExample('upstream_unavailable', 'the service is shutting down', {
          error: 'upstream_unavailable',
          retry_after_seconds: limits.retryAfterUnavailableSeconds,
        }),
      };
    default:
      throw new Error(`the gate has no refusal of status ${status}`);
  }
}

const scopeText = "forbidden: token lacks 'write' scope";
const rateText = rateLimitText({ counts: 'requests of the tenant', ...limits.tenantRate });
const sizeText = `the input exceeds the limit of ${limits.inputBytes} bytes`;
const encodingText = unsupportedEncodingText('gzip');
const upgradeText = upgradeRequiredText('<path>');

interface Envelope {
  shape: z.ZodType | undefined;
  withText: (code: ErrorCode, text: string) => object | string;
}

const management: Envelope = {
  shape: managementError,
  withText: (code, error) => errorExample(code, error, { error }),
};

const envelopes: Readonly<Record<Family, Envelope>> = {
  management,
  system: management,
  invocation: {
    shape: invocationRefusal,
    withText: (code, error_message) => errorExample(code, error_message, { accepted: false, error_message }),
  },
  node: {
    shape: nodeError,
    withText: (code, error_message) => errorExample(code, error_message, { error_message }),
  },
  preview: { shape: undefined, withText: (_code, text) => text },
};
