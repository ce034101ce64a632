import { type Execution, executions } from '../executions.ts';
import type { CallJournalRow, CallWrite } from './call-write.ts';
import type { Admission, ExecutionEnd, RunOperation, Transition } from './run-operation.ts';

// Operations are sent to the commit thread as one flat list of values. Structured cloning of objects would copy the name of every
// field, which costs more than the values.

/** Reads a list of values in order. */
interface ValueReader {
  /** Returns the next value, which has the type that was written. */
  next(): unknown;
  hasMore(): boolean;
}

const executionFields = executions.fields.map(({ field }) => field as keyof Execution);

/** Returns the writes as a flat list, which `callWritesFrom` reads. */
export function valuesOfCallWrites(writes: readonly CallWrite[]): unknown[] {
  const values: unknown[] = [];
  for (const write of writes) {
    values.push('row' in write);
    if ('execution' in write) writeExecution(values, write.execution);
    else writeRow(values, write.row);
  }
  return values;
}

/** Returns the writes of a list from `valuesOfCallWrites`, in their order. The values are not checked. */
export function callWritesFrom(values: readonly unknown[]): CallWrite[] {
  const reader = createReader(values);
  const writes: CallWrite[] = [];
  while (reader.hasMore()) {
    writes.push(reader.next() === true ? { row: readRow(reader) } : { execution: readExecution(reader) });
  }
  return writes;
}

/** Returns the operations as a flat list, which `operationsFrom` reads. */
export function valuesOfOperations(operations: readonly RunOperation[]): unknown[] {
  const values: unknown[] = [];
  for (const operation of operations) {
    values.push(operation.kind);
    if (operation.kind === 'admit') writeAdmission(values, operation);
    else writeTransition(values, operation);
  }
  return values;
}

/** Returns the operations of a list from `valuesOfOperations`, in their order. The values are not checked. */
export function operationsFrom(values: readonly unknown[]): RunOperation[] {
  const reader = createReader(values);
  const operations: RunOperation[] = [];
  while (reader.hasMore()) {
    const kind = reader.next() as RunOperation['kind'];
    operations.push(kind === 'admit' ? readAdmission(reader) : readTransition(reader));
  }
  return operations;
}

function createReader(values: readonly unknown[]): ValueReader {
  let at = 0;
  return {
    next: () => {
      const value = values[at];
      at += 1;
      return value;
    },
    hasMore: () => at < values.length,
  };
}

function writeExecution(values: unknown[], execution: Execution): void {
  for (const field of executionFields) values.push(execution[field]);
}

function readExecution(reader: ValueReader): Execution {
  const execution: Partial<Record<keyof Execution, unknown>> = {};
  for (const field of executionFields) execution[field] = reader.next();
  return execution as Execution;
}

function writeRow(values: unknown[], { tenantId, executionId, seq, body, at }: CallJournalRow): void {
  values.push(tenantId, executionId, seq, body, at);
}

function readRow(reader: ValueReader): CallJournalRow {
  const tenantId = reader.next() as string;
  const executionId = reader.next() as string;
  const seq = reader.next() as number;
  const body = reader.next() as string;
  const at = reader.next() as number;
  return { tenantId, executionId, seq, body, at };
}

function writeAdmission(values: unknown[], admission: Admission): void {
  const { execution, owner, body, keyHash, caps, inflight, topic, fork } = admission;
  writeExecution(values, execution);
  // Topics and forks are rare, so they are sent as objects.
  values.push(owner, body, keyHash, caps.invocations, caps.executions, inflight, topic, fork);
}

function readAdmission(reader: ValueReader): Admission {
  const execution = readExecution(reader);
  const owner = reader.next() as string | null;
  const body = reader.next() as string;
  const keyHash = reader.next() as string;
  const caps = { invocations: reader.next() as number, executions: reader.next() as number };
  const inflight = reader.next() as number | undefined;
  const topic = reader.next() as Admission['topic'];
  const fork = reader.next() as Admission['fork'];
  return {
    kind: 'admit',
    execution,
    owner,
    body,
    keyHash,
    caps,
    ...(inflight !== undefined && { inflight }),
    ...(topic && { topic }),
    ...(fork && { fork }),
  };
}

function writeTransition(values: unknown[], transition: Transition): void {
  const { tenantId, executionId, seq, body, at, caps, mutated, releaseUntil, branches, ends } = transition;
  const { pauses, claim, invocations } = transition;
  values.push(tenantId, executionId, seq, body, at, caps.invocations, caps.executions);
  // Pauses and claims are rare, so they are sent as objects.
  values.push(mutated?.times, mutated?.seq, releaseUntil, pauses, claim, invocations);
  values.push(branches.length);
  for (const branch of branches) writeExecution(values, branch);
  values.push(ends.length);
  for (const { executionId: ended, status, errorMessage, failureKind, failedNode } of ends) {
    values.push(ended, status, errorMessage, failureKind, failedNode);
  }
}

function readTransition(reader: ValueReader): Transition {
  const tenantId = reader.next() as string;
  const executionId = reader.next() as string;
  const seq = reader.next() as number;
  const body = reader.next() as string;
  const at = reader.next() as number;
  const caps = { invocations: reader.next() as number, executions: reader.next() as number };
  const times = reader.next() as number | undefined;
  const mutationSeq = reader.next() as number | undefined;
  const releaseUntil = reader.next() as number | undefined;
  const pauses = reader.next() as Transition['pauses'];
  const claim = reader.next() as Transition['claim'];
  const invocations = reader.next() as number | undefined;
  const branches: Execution[] = [];
  for (let left = reader.next() as number; left > 0; left -= 1) branches.push(readExecution(reader));
  const ends: ExecutionEnd[] = [];
  for (let left = reader.next() as number; left > 0; left -= 1) ends.push(readEnd(reader));
  return {
    kind: 'append',
    tenantId,
    executionId,
    seq,
    body,
    at,
    branches,
    caps,
    ends,
    ...(times !== undefined && mutationSeq !== undefined && { mutated: { times, seq: mutationSeq } }),
    ...(releaseUntil !== undefined && { releaseUntil }),
    ...(pauses && { pauses }),
    ...(claim && { claim }),
    ...(invocations !== undefined && { invocations }),
  };
}

function readEnd(reader: ValueReader): ExecutionEnd {
  const executionId = reader.next() as string;
  const status = reader.next() as ExecutionEnd['status'];
  const errorMessage = reader.next() as string | null;
  const failureKind = reader.next() as ExecutionEnd['failureKind'];
  const failedNode = reader.next() as string | null;
  return { executionId, status, errorMessage, failureKind, failedNode };
}
