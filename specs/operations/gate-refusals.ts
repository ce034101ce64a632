import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  invocationRefusal,
  managementError,
  nodeError,
  parameterError,
  refusal,
  sizeRefusal,
} from './error-shapes.ts';
import type { Family } from './operation.ts';

/** What the gate before every handler answers with (SPEC.md, Errors), in the envelope of the operation's family. */
export interface GateRefusal {
  description: string;
  /** Undefined: plain text. */
  shape: z.ZodType | undefined;
  example: object | string;
}

/** The refusal of that status; every status of `gateStatuses` has one. */
export function gateRefusal(family: Family, status: number): GateRefusal {
  const { shape, worded } = envelopes[family];
  switch (status) {
    case 400:
      return {
        description: 'A parameter or the body is not what it should be.',
        shape: family === 'invocation' ? z.union([invocationRefusal, parameterError]) : shape,
        example: worded('invalid request body: <detail>'),
      };
    case 401:
      return {
        description: 'The key is missing, malformed, unknown, expired or revoked.',
        shape: refusal,
        example: { error: 'unauthorized' },
      };
    case 403:
      return {
        description: 'The key may not call this, or its tenant is suspended.',
        shape: refusal,
        example: { error: "forbidden: token lacks 'write' scope" },
      };
    case 413:
      return family === 'invocation' || family === 'node'
        ? {
            description: 'The body is too large.',
            shape: sizeRefusal,
            example: {
              error: 'payload_too_large',
              message: `the input exceeds the limit of ${limits.inputBytes} bytes`,
              max_bytes: limits.inputBytes,
            },
          }
        : { description: 'The body is too large.', shape, example: worded('request body too large') };
    case 429:
      return {
        description: 'Over the rate.',
        shape: refusal,
        example: { error: 'rate limit exceeded' },
      };
    case 500:
      return {
        description: 'What nobody foresaw; the log has it under the same id.',
        shape,
        example: worded('internal error (request <id>)'),
      };
    case 503:
      return {
        description: 'Cannot be served now: try again.',
        shape: refusal,
        example: {
          error: 'upstream_unavailable',
          message: 'the service is shutting down',
          retry_after_seconds: limits.retryAfterUnavailableSeconds,
        },
      };
    default:
      throw new Error(`the gate has no refusal of status ${status}`);
  }
}

interface Envelope {
  shape: z.ZodType | undefined;
  worded: (text: string) => object | string;
}

const management: Envelope = { shape: managementError, worded: (error) => ({ error }) };

const envelopes: Readonly<Record<Family, Envelope>> = {
  management,
  system: management,
  invocation: {
    shape: invocationRefusal,
    worded: (error_message) => ({ accepted: false, error_message }),
  },
  node: { shape: nodeError, worded: (error_message) => ({ error_message }) },
  preview: { shape: undefined, worded: (text) => text },
};
