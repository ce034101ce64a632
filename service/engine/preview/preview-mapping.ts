import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { limits } from '../../../specs/limits.ts';
import type { PreviewBody } from '../../../specs/operations/preview.ts';
import { mappingFailure } from '../../errors/preview-errors.ts';
import { jsonFromBytes } from '../../messages/json/message-to-json.ts';
import { messageFromJson } from '../../messages/json/message-from-json.ts';
import type { Database } from '../../store/database.ts';
import { compileSteps } from '../adapters/compile-mapping.ts';
import type { MessageEnd } from '../adapters/mapping.ts';
import type { CelCompiler } from '../cel/cel-compiler.ts';
import { threadMs } from '../../work/thread-time.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import type { TypeRegistries } from '../../nodes/type-registries.ts';
import { failed, type Outcome } from '../outcome.ts';
import { WorkMeter } from '../work/work-meter.ts';
import { readMessageSlots } from './message-slots.ts';
import { previewBindings } from './preview-bindings.ts';

/** Dependencies that previews share with flows, so that both give the same results. */
export interface PreviewOptions {
  db: Database;
  types: TypeRegistries;
  cel: CelCompiler;
}

type PreviewOutcome = { output: unknown } | { error: string };

/**
 * Runs a field mapping on samples with the compiler and evaluator of flows (docs/decisions/0017). Errors in the mapping or the samples
 * are part of the outcome.
 *
 * @param signal ends the preview between two of its steps
 * @throws ApiError 400 or 404, plain text, for an invalid request; the reason of the signal
 */
export async function previewMapping(
  { db, types, cel }: PreviewOptions,
  tenantId: string,
  body: PreviewBody,
  signal: AbortSignal,
): Promise<PreviewOutcome> {
  const bindings = previewBindings(body);
  const slots = body.sources.map(({ msg_name: slot }, index): [string, unknown] => [
    `sources[${index}].msg_name`,
    slot,
  ]);
  const reader = { tx: db.knex, types, tenantId };
  const endOf = await readMessageSlots(reader, {
    dst_msg_name: body.dst_msg_name,
    ...Object.fromEntries(slots),
  });
  const target = endOf('dst_msg_name');
  const ends = body.sources.map((source, index) => ({ source, end: endOf(`sources[${index}].msg_name`) }));

  const sources = new Map(ends.map(({ source, end }) => [source.edge_id, end]));
  const runCooperatively = createTimeBudget(signal);
  const compiled = await runCooperatively(compileSteps(bindings, { sources, target }, cel));
  if (!compiled) return { error: mappingFailure(timedOut) };
  if (!compiled.ok) {
    return { error: compiled.problems.map(({ detail }) => mappingFailure(detail)).join('; ') };
  }
  const samples = new Map<string, ReflectMessage>();
  for (const { source, end } of ends) {
    const sample = readSample(end, source.sample);
    if (!sample.ok) return { error: `sources "${source.edge_id}": ${sample.detail}` };
    samples.set(source.edge_id, sample.value);
    await loopTurns.yieldIfSpent();
  }
  const made =
    (await runCooperatively(compiled.mapping.steps({ sources: samples, meter: new WorkMeter() }))) ??
    failed(timedOut);
  if (!made.ok) return { error: mappingFailure(made.detail) };
  if (made.value.length > limits.previewOutputBytes) return { error: mappingFailure(outputTooLarge) };
  const json = jsonFromBytes(target.registry, target.type.typeName, made.value);
  return json.ok ? { output: JSON.parse(json.value) as unknown } : { error: json.error.message };
}

function readSample({ registry, type }: MessageEnd, sample: unknown): Outcome<ReflectMessage> {
  const read = messageFromJson(registry, type.typeName, JSON.stringify(sample));
  return read.ok ? { ok: true, value: reflect(type, read.value) } : failed(read.error.message);
}

const timedOut = `the preview timed out after ${limits.previewMs / 1000} s: preview fewer fields at once`;

const outputTooLarge = `the output is larger than ${limits.previewOutputBytes} bytes: preview a smaller sample`;

/**
 * Returns a function that runs work step by step, and yields to other requests after each step, including the last.
 * Work that exceeds the time limit of the preview ends with `undefined`. Previews have no quota, so the time limit
 * bounds them. It counts processor time, so that a mapping is not rejected because the machine is busy. The signal
 * bounds the elapsed time.
 */
function createTimeBudget(
  signal: AbortSignal,
): <T>(steps: Generator<undefined, T>) => Promise<T | undefined> {
  let spentMs = 0;
  return async (steps) => {
    for (;;) {
      const began = threadMs();
      const step = steps.next();
      spentMs += threadMs() - began;
      if (step.done !== true && spentMs > limits.previewMs) return undefined;
      await loopTurns.yieldIfSpent();
      signal.throwIfAborted();
      if (step.done === true) return step.value;
    }
  };
}
