import { z } from 'zod';
import { managementError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

export const executionStatus = z.enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'FORKED']);

/** SPEC.md, Execution record. */
export const executionRecord = z.object({
  execution_id: z.string().regex(/^[0-9a-f]{32}$/),
  tenant_id: z.string(),
  graph_id: z.string().optional(),
  graph_artifact_id: z.string().optional(),
  node_id: z.string().optional(),
  node_fqn: z.string().optional().describe('<handle>/<package>/<version>/<node>'),
  status: executionStatus,
  forked_from_execution_id: z.string().nullable(),
  mutation_enabled: z.boolean(),
  lineage_root_execution_id: z.string().nullable(),
  mutation_seq: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  completed_at: z.string().optional(),
});

export const getExecution = defineOperation({
  id: 'getExecution',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}',
  family: 'invocation',
  summary: 'The record of an execution',
  caller: 'full-key',
  scope: 'read',
  params: z.object({ execution_id: storableText }),
  responses: {
    200: { description: 'The record; authoritative for whether a run finished.', shape: executionRecord },
    404: { description: "Unknown, or another tenant's.", shape: managementError },
  },
});
