import { answers } from './answers.ts';
import { attempts } from './attempts.ts';
import { calls } from './calls.ts';
import { decisions } from './decisions.ts';
import { escalations } from './escalations.ts';
import { eventOrder } from './event-order.ts';
import { failures } from './failures.ts';
import { followers } from './followers.ts';
import { idempotency } from './idempotency.ts';
import { listsWithoutRepetition } from './lists-without-repetition.ts';
import { memoryGrowth } from './memory-growth.ts';
import { nothingLeft } from './nothing-left.ts';
import { outputs } from './outputs.ts';
import { quotas } from './quotas.ts';
import { runEnds } from './run-ends.ts';
import { shutdowns } from './shutdowns.ts';
import { splitReaders } from './split-readers.ts';
import { streams } from './streams.ts';
import type { Check } from './violation.ts';

/** The invariants that hold after a soak. */
export const checks: readonly Check[] = [
  answers,
  attempts,
  calls,
  decisions,
  escalations,
  eventOrder,
  failures,
  followers,
  idempotency,
  listsWithoutRepetition,
  memoryGrowth,
  nothingLeft,
  outputs,
  quotas,
  runEnds,
  shutdowns,
  splitReaders,
  streams,
];
