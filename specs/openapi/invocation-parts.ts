import type {
  HeaderObject,
  ParameterObject,
  SecurityRequirementObject,
  SecuritySchemeObject,
} from 'openapi3-ts/oas30';

export const keySecurity: {
  requirement: SecurityRequirementObject[];
  schemes: Record<string, SecuritySchemeObject>;
} = {
  requirement: [{ apiKey: [] }],
  schemes: {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of your tenant: `Authorization: Bearer <API_KEY>`.',
    },
  },
};

/** 32 hex characters, which are also the trace id. */
export const executionId = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;

export const executionHeader: HeaderObject = {
  description: 'Id of the execution that records the call.',
  schema: executionId,
};

/** Headers of every HTTP response. */
export const requestIdHeader: Record<string, HeaderObject> = {
  'X-Request-Id': {
    description: 'Id of the request. Quote it when you report a problem.',
    schema: { type: 'string', format: 'uuid' },
  },
};

/** Headers of a flow invocation that take precedence over fields of its body. */
export const invocationHeaders: ParameterObject[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Requests with the same key within five minutes start one run. Takes precedence over `idempotency_key`.',
    schema: { type: 'string' },
  },
  {
    name: 'X-Debug-Session-Id',
    in: 'header',
    description: 'Session that receives debug events. Takes precedence over `debug_session_id`.',
    schema: { type: 'string' },
  },
];
