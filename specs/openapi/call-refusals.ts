import type { HeaderObject, ReferenceObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas30';
import { limits } from '../limits.ts';
import { gateStatuses, type Operation } from '../operations/operation.ts';

/**
 * Refusals of calls, in the envelopes of SPEC.md ("Envelope", "Single node"). Names have a dash, which no proto name has, so
 * that they stand beside messages.
 */
const refusalSchemas: Readonly<Record<string, SchemaObject>> = {
  'call-refusal': {
    title: 'Refusal',
    description: 'A refusal with a known cause. Further fields may be there.',
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'string', description: 'The cause: a class that does not change, or a text.' },
      message: { type: 'string' },
      max_bytes: { type: 'integer', description: 'What the input may have.' },
      actual_bytes: { type: 'integer', description: 'What it has.' },
      retry_after_seconds: { type: 'integer', description: 'When to try again.' },
    },
  },
  'node-refusal': {
    title: 'Node refusal',
    description: 'A node that was not called, or that failed.',
    type: 'object',
    required: ['error_message'],
    properties: {
      error_message: { type: 'string', description: 'What is wrong, in words.' },
      execution_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    },
  },
  'invocation-refusal': {
    title: 'Invocation refusal',
    description: 'An invocation that was not accepted.',
    type: 'object',
    required: ['accepted', 'error_message'],
    properties: {
      accepted: { type: 'boolean', enum: [false] },
      error_message: { type: 'string', description: 'What is wrong, in words.' },
    },
  },
};

type Refusal = keyof typeof refusalSchemas;

interface RefusalWords {
  description: string;
  /** Envelopes that the status comes in; the first that fits is meant. */
  envelopes: readonly Refusal[];
  examples: Readonly<Record<string, object>>;
}

const retrying = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } as const;

/** Refusals of an operation, for `components` and for the responses that refer to them. */
export interface OperationRefusals {
  /** By status. */
  references: Record<string, ReferenceObject>;
  /** For `components.responses`. */
  responses: Record<string, ResponseObject>;
  /** For `components.schemas`. */
  schemas: Record<string, SchemaObject>;
}

/** Everything that an operation may answer but success: its own refusals and those of the gate before it. */
export function operationRefusals(operation: Operation): OperationRefusals {
  const declared = Object.keys(operation.responses).map(Number);
  const statuses = [...new Set([...declared, ...gateStatuses(operation)])]
    .filter((status) => status >= 400)
    .sort((one, other) => one - other);
  const used = new Set(statuses.flatMap((status) => wordsOf(operation, status).envelopes));
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
  422: 'NodeFailed',
  429: 'RateLimited',
  500: 'InternalError',
  501: 'NotAvailable',
  502: 'NodeUnreachable',
  503: 'Unavailable',
};

function nameOf(status: number): string {
  return names[status] ?? `Status${status}`;
}

function refusalResponse(operation: Operation, status: number): ResponseObject {
  const { description, envelopes, examples } = wordsOf(operation, status);
  const refs = envelopes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [first] = refs;
  const headers: Record<string, HeaderObject> = status === 429 || status === 503 ? retrying : {};
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: {
      'application/json': {
        schema: first !== undefined && refs.length === 1 ? first : { anyOf: refs },
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  };
}

function wordsOf({ family, responses }: Operation, status: number): RefusalWords {
  const own: Refusal = family === 'node' ? 'node-refusal' : 'invocation-refusal';
  const refusal = (text: string): object =>
    family === 'node' ? { error_message: text } : { accepted: false, error_message: text };
  const said = responses[status]?.description;
  const words = (description: string, envelopes: readonly Refusal[], examples: RefusalWords['examples']) => ({
    description: said ?? description,
    envelopes,
    examples,
  });
  const retry = { retry_after_seconds: limits.retryAfterUnavailableSeconds };
  switch (status) {
    case 400:
      return family === 'node'
        ? words('The body does not fit the input message.', [own], {
            body: refusal('invalid JSON for <InputType>: <detail>'),
          })
        : words('The body is not what it should be.', ['call-refusal', own], {
            body: refusal('invalid request body: <detail>'),
          });
    case 401:
      return words('The key is missing, malformed, unknown, expired or revoked.', ['call-refusal'], {
        unauthorized: { error: 'unauthorized' },
      });
    case 403:
      return words('The key may not call this, or its tenant is suspended.', ['call-refusal'], {
        scope: { error: "forbidden: token lacks 'invoke' scope" },
        suspended: { error: 'tenant_suspended' },
      });
    case 404:
      return family === 'node'
        ? words('Unknown or undeployed node.', [own], {
            unknown: refusal('node not found or not yet deployed'),
          })
        : words('No such flow.', ['call-refusal'], {
            unknown: { error: 'not_found', message: 'flow not found' },
          });
    case 413:
      return words(`Input over ${limits.inputBytes} bytes.`, ['call-refusal'], {
        large: {
          error: 'payload_too_large',
          message: `the input exceeds the limit of ${limits.inputBytes} bytes`,
          max_bytes: limits.inputBytes,
          actual_bytes: 20_000_000,
        },
      });
    case 422:
      return words('The node returned an error.', [own], { failed: refusal('the text is empty') });
    case 429:
      return words('Over the rate, or over a daily quota.', ['call-refusal'], {
        rate: { error: 'rate limit exceeded' },
        quota: {
          error: 'quota_exceeded',
          message: `daily invocations quota exceeded (cap ${limits.dailyInvocations})`,
          retry_after_seconds: 3_600,
        },
      });
    case 501:
      return words('Streams are not available yet.', [own], {
        stream: refusal('node "<name>" is a pipeline node: streaming calls are not available yet'),
      });
    case 502:
      return words('The container could not be reached.', [own], {
        unreachable: refusal('could not connect to node'),
      });
    case 503:
      return words('Cannot be served now: try again.', ['call-refusal'], {
        unavailable: { error: 'upstream_unavailable', ...retry },
        quota: { error: 'quota_unavailable', ...retry },
      });
    default:
      return words('What nobody foresaw.', [own], { failure: refusal('internal error (request <id>)') });
  }
}
