import { z } from 'zod';
import { errorFields } from './error-shapes.ts';
import { defineOperation } from './operation.ts';

/** Probes of the process. */
export const healthz = defineOperation({
  id: 'healthz',
  method: 'get',
  path: '/healthz',
  family: 'system',
  summary: 'Check liveness',
  description: 'Returns 200 while the process runs.',
  caller: 'public',
  responses: {
    200: {
      description: 'The process runs.',
      shape: z.object({ status: z.literal('ok').describe('Always `ok`.') }),
    },
  },
});

const readiness = z.object({
  status: z.enum(['ready', 'not ready']).describe('`ready` if every check succeeds.'),
  checks: z.record(z.string(), z.string()).describe('Results by check: `ok`, or an error text.'),
});

export const readyz = defineOperation({
  id: 'readyz',
  method: 'get',
  path: '/readyz',
  family: 'system',
  summary: 'Check readiness',
  description: 'Returns 200 if the process can serve requests, and 503 otherwise.',
  caller: 'public',
  responses: {
    200: { description: 'The database and the storage are available.', shape: readiness },
    503: {
      description: 'A dependency is unavailable, or the process is shutting down.',
      shape: readiness.extend(errorFields),
    },
  },
});
