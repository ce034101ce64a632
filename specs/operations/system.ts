import { z } from 'zod';
import { defineOperation } from './operation.ts';

/** Probes and metrics of the process (DESIGN.md 3). */
export const healthz = defineOperation({
  id: 'healthz',
  method: 'get',
  path: '/healthz',
  family: 'system',
  summary: 'Whether the process runs',
  caller: 'public',
  responses: {
    200: { description: 'It does.', shape: z.object({ status: z.literal('ok').describe('It runs.') }) },
  },
});

const readiness = z.object({
  status: z.enum(['ready', 'not ready']).describe('Whether every check is ok.'),
  checks: z.record(z.string(), z.string()).describe('By what is checked: ok, or what is wrong.'),
});

export const readyz = defineOperation({
  id: 'readyz',
  method: 'get',
  path: '/readyz',
  family: 'system',
  summary: 'Whether the process can serve requests',
  caller: 'public',
  responses: {
    200: { description: 'Database and archives answer.', shape: readiness },
    503: { description: 'Something does not, or the process is draining.', shape: readiness },
  },
});

export const metrics = defineOperation({
  id: 'metrics',
  method: 'get',
  path: '/metrics',
  family: 'system',
  summary: 'Prometheus metrics',
  caller: 'public',
  responses: {
    200: { description: 'Text exposition format.', contentType: 'text/plain; version=0.0.4; charset=utf-8' },
  },
});
