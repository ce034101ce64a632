import type { z } from 'zod';
import type { executionEvent } from '../../specs/operations/executions.ts';
import { escaped } from './output.ts';

/** An event of an execution. Later releases may send types and fields that this one does not know. */
export type ExecutionEvent = z.infer<typeof executionEvent>;

const typeWidth = 20;
const nodeWidth = 12;

/** Formats an event as a line: its time, type, node and details. */
export function eventLine(event: ExecutionEvent): string {
  const time = new Date(event.timestamp_ms).toISOString();
  const cells = [time, event.type.padEnd(typeWidth), (event.node_id ?? '').padEnd(nodeWidth), detail(event)];
  return escaped(cells.join('  ').trimEnd());
}

function detail(event: ExecutionEvent): string {
  const parts: [string, unknown][] = [
    ['', event.log_level === undefined ? undefined : `${event.log_level}: ${event.log_message ?? ''}`],
    ['', event.error],
    ['', event.failure_kind && `(${event.failure_kind})`],
    ['payload', event.failure_payload],
    ['', event.progress_json],
    ['edge', event.edge_id],
    // An edge without a condition also passes.
    ['', event.condition_pass === undefined ? undefined : event.condition_pass ? 'taken' : 'not taken'],
    ['attempt', event.attempt && [event.attempt, event.max_attempts].filter(Boolean).join('/')],
    ['next', event.next_attempt_at_ms && new Date(event.next_attempt_at_ms).toISOString()],
    ['pause', event.pause_id],
    ['question', event.interrupt_payload],
    ['by', event.resumed_by],
    ['forked to', event.forked_to_execution_id],
    ['frame', event.frame_index],
    ['frames', event.total_frames],
    ['input', event.input],
    ['output', event.output],
    ['', event.frame],
  ];
  return parts.flatMap(([label, value]) => (value === undefined ? [] : [labelled(label, value)])).join('  ');
}

function labelled(label: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return label === '' ? text : `${label} ${text}`;
}
