import type { ReferenceObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas30';
import type { ErrorCode } from '../error-codes.ts';
import { limits } from '../limits.ts';
import { rateLimitText, suspendedText, unauthorizedText } from '../operations/access-texts.ts';
import { unsupportedEncodingText } from '../operations/encoding-text.ts';
import { errorExample } from '../operations/error-shapes.ts';
import { requestIdHeader } from './invocation-parts.ts';
import { gateStatuses, type Operation } from '../operations/operation.ts';

/** Fields of every JSON error. */
const errorProperties: Record<string, SchemaObject> = {
  code: { type: 'string', description: 'The stable code of the error. Further codes may be added.' },
  message: { type: 'string', description: 'Error text for people.' },
  request_id: { type: 'string', format: 'uuid', description: 'Id of the request, as in `X-Request-Id`.' },
};
const requiredFields = Object.keys(errorProperties);

/** Error bodies of calls. Their names contain a dash, which proto names cannot contain, so they never collide with messages. */
const refusalSchemas: Readonly<Record<string, SchemaObject>> = {
  'call-refusal': {
    title: 'Refusal',
    description: 'A refusal with a known cause. It may contain further fields.',
    type: 'object',
    required: ['error', ...requiredFields],
    properties: {
      error: { type: 'string', description: 'A stable error class, or an error text.' },
      ...errorProperties,
      max_bytes: { type: 'integer', description: 'Maximum size of the input in bytes.' },
      actual_bytes: { type: 'integer', description: 'Size of the input in bytes.' },
      retry_after_seconds: { type: 'integer', description: 'Seconds to wait before the next attempt.' },
    },
  },
  'node-refusal': {
    title: 'Node refusal',
    description: 'A refused or failed node call.',
    type: 'object',
    required: ['error_message', ...requiredFields],
    properties: {
      error_message: { type: 'string', description: 'Error text.' },
      ...errorProperties,
      execution_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    },
  },
  'invocation-refusal': {
    title: 'Invocation refusal',
    description: 'A refused invocation.',
    type: 'object',
    required: ['accepted', 'error_message', ...requiredFields],
    properties: {
      accepted: { type: 'boolean', enum: [false] },
      error_message: { type: 'string', description: 'Error text.' },
      ...errorProperties,
    },
  },
};

type Refusal = keyof typeof refusalSchemas;

interface RefusalText {
  description: string;
  /** Possible envelopes, in order of preference. */
  envelopes: readonly Refusal[];
  examples: Readonly<Record<string, object>>;
}

const retrying = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
} as const;

/** The refusals of an operation as components, and references to them. */
export interface OperationRefusals {
  /** By status. */
  references: Record<string, ReferenceObject>;
  /** For `components.responses`. */
  responses: Record<string, ResponseObject>;
  /** For `components.schemas`. */
  schemas: Record<string, SchemaObject>;
}

/** Returns the refusals of an operation and of the gate before it. */
export function operationRefusals(operation: Operation): OperationRefusals {
  const own = Object.keys(operation.responses).map(Number);
  const statuses = [...new Set([...own, ...gateStatuses(operation)])]
    .filter((status) => status >= 400)
    .sort((one, other) => one - other);
  const used = new Set(statuses.flatMap((status) => textOf(operation, status).envelopes));
  return {
    references: Object.fromEntries(
      statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
    ),
    responses: Object.fromEntries(
      statuses.map((status) => [nameOf(status), refusalResponse(operation, status)]),
    ),
    schemas: Object.fromEntries(Object.entries(refusalSchemas).filter(([name]) => used.has(name))),
  };
}

const names: Readonly<Record<number, string>> = {
  400: 'InvalidInput',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  413: 'PayloadTooLarge',
  415: 'UnsupportedEncoding',
  422: 'NodeFailed',
  429: 'RateLimited',
  500: 'InternalError',
  502: 'NodeUnreachable',
  503: 'Unavailable',
};

function nameOf(status: number): string {
  return names[status] ?? `Status${status}`;
}

function refusalResponse(operation: Operation, status: number): ResponseObject {
  const { description, envelopes, examples } = textOf(operation, status);
  const refs = envelopes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [first] = refs;
  const headers = { ...requestIdHeader, ...(status === 429 || status === 503 ? retrying : {}) };
  return {
    description,
    headers,
    content: {
      'application/json': {
        schema: first !== undefined && refs.length === 1 ? first : { anyOf: refs },
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  };
}

const scopeText = "forbidden: token lacks 'invoke' scope";
const rateText = rateLimitText({ counts: 'invocation requests of the tenant', ...limits.invocationRate });
const encodingText = unsupportedEncodingText('gzip');
const quotaText = `daily invocations quota exceeded (cap ${limits.dailyInvocations})`;

function textOf({ family, responses }: Operation, status: number): RefusalText {
  const own: Refusal = family === 'node' ? 'node-refusal' : 'invocation-refusal';
  const refusal = (code: ErrorCode, text: string): object =>
    errorExample(
      code,
      text,
      family === 'node' ? { error_message: text } : { accepted: false, error_message: text },
    );
  const classed = (error: ErrorCode, text: string, more: object = {}): object =>
    errorExample(error, text, { error, ...more });
  const declared = responses[status]?.description;
  const text = (description: string, envelopes: readonly Refusal[], examples: RefusalText['examples']) => ({
    description: declared ?? description,
    envelopes,
    examples,
  });
  const retry = { retry_after_seconds: limits.retryAfterUnavailableSeconds };
  switch (status) {
    case 400:
      return family === 'node'
        ? text('The body does not match the input message.', [own], {
            body: refusal('invalid_input', 'invalid JSON for <InputType>: <detail>'),
          })
        : text('The body is invalid.', ['call-refusal', own], {
            body: refusal('invalid_body', 'invalid request body: <detail>'),
          });
    case 401:
      return text('The key is missing, malformed, unknown, expired or revoked.', ['call-refusal'], {
        unauthorized: classed('unauthorized', unauthorizedText),
      });
    case 403:
      return text('The key may not call this operation, or its tenant is suspended.', ['call-refusal'], {
        scope: errorExample('missing_scope', scopeText, { error: scopeText }),
        suspended: classed('tenant_suspended', suspendedText),
      });
    case 404:
      return family === 'node'
        ? text('The node is unknown or not deployed.', [own], {
            unknown: refusal('node_not_found', 'node not found or not yet deployed'),
          })
        : text('The flow does not exist.', ['call-refusal'], {
            unknown: classed('not_found', 'flow not found'),
          });
    case 413:
      return text(`The input exceeds ${limits.inputBytes} bytes.`, ['call-refusal'], {
        large: classed('payload_too_large', `the input exceeds the limit of ${limits.inputBytes} bytes`, {
          max_bytes: limits.inputBytes,
          actual_bytes: 20_000_000,
        }),
      });
    case 415:
      return family === 'node'
        ? text('The body is compressed.', [own], {
            compressed: refusal('unsupported_encoding', encodingText),
          })
        : text('The body is compressed.', ['call-refusal'], {
            compressed: classed('unsupported_encoding', encodingText),
          });
    case 422:
      return text('The node returned an error.', [own], {
        failed: refusal('node_failed', 'the text is empty'),
      });
    case 429:
      return text('The rate limit or a daily quota is exceeded.', ['call-refusal'], {
        rate: errorExample('rate_limited', rateText, { error: 'rate limit exceeded' }),
        quota: classed('quota_exceeded', quotaText, { retry_after_seconds: 3_600 }),
      });
    case 502:
      return text('The container could not be reached.', [own], {
        unreachable: refusal('node_unreachable', 'could not connect to node'),
      });
    case 503:
      return text('The service is temporarily unavailable. Retry later.', ['call-refusal'], {
        unavailable: classed('upstream_unavailable', 'the flow could not be queued', retry),
        quota: classed('quota_unavailable', 'the quota service is unavailable', retry),
      });
    default:
      return text('Unexpected error.', [own], {
        failure: refusal('internal_error', 'internal error (request <id>)'),
      });
  }
}
