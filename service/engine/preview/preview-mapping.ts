import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { limits } from '../../../specs/limits.ts';
import type { PreviewBody } from '../../../specs/operations/preview.ts';
import { mappingFailure } from '../../errors/preview-errors.ts';
import { jsonFromBytes } from '../../messages/message-to-json.ts';
import { messageFromJson } from '../../messages/message-from-json.ts';
import type { Database } from '../../store/database.ts';
import { compileSteps } from '../adapters/compile-mapping.ts';
import type { MessageEnd } from '../adapters/mapping.ts';
import type { CelCompiler } from '../cel/cel-compiler.ts';
import { takeTurns } from '../graph/turns.ts';
import type { VersionTypes } from '../graph/version-types.ts';
import { failed, type Outcome } from '../outcome.ts';
import { readMessageSlots } from './message-slots.ts';
import { previewBindings } from './preview-bindings.ts';

export interface PreviewOptions {
  db: Database;
  types: VersionTypes;
  cel: CelCompiler;
}

export type PreviewOutcome = { output: unknown } | { error: string };

/**
 * Runs a field mapping on samples by what compiles and runs flows (SPEC.md, POST /adapters/preview; docs/decisions/0017).
 * What is wrong with mapping or samples is an outcome.
 *
 * @throws ApiError 400 or 404, plain text, for a body that makes no sense
 */
export async function previewMapping(
  { db, types, cel }: PreviewOptions,
  tenantId: string,
  body: PreviewBody,
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
  const inTurns = createTurns();
  const compiled = await inTurns(compileSteps(bindings, { sources, target }, cel));
  if (!compiled) return { error: mappingFailure(tookTooLong) };
  if (!compiled.ok) {
    return { error: compiled.problems.map(({ detail }) => mappingFailure(detail)).join('; ') };
  }
  const samples = new Map<string, ReflectMessage>();
  for (const { source, end } of ends) {
    const sample = readSample(end, source.sample);
    if (!sample.ok) return { error: `sources "${source.edge_id}": ${sample.detail}` };
    samples.set(source.edge_id, sample.value);
  }
  const made = (await inTurns(compiled.mapping.steps(samples))) ?? failed(tookTooLong);
  if (!made.ok) return { error: mappingFailure(made.detail) };
  const json = jsonFromBytes(target.registry, target.type.typeName, made.value);
  return json.ok ? { output: JSON.parse(json.value) as unknown } : { error: json.error.message };
}

function readSample({ registry, type }: MessageEnd, sample: unknown): Outcome<ReflectMessage> {
  const read = messageFromJson(registry, type.typeName, JSON.stringify(sample));
  return read.ok ? { ok: true, value: reflect(type, read.value) } : failed(read.error.message);
}

const tookTooLong = `the preview was ended after ${limits.previewMs / 1000} s: try fewer fields at once`;

/**
 * Makes a function that does work step by step: other requests go first in between, and what takes too long in all ends as
 * `undefined`, since nothing else counts previews.
 */
function createTurns(): <T>(steps: Generator<undefined, T>) => Promise<T | undefined> {
  const turn = takeTurns();
  let spentMs = 0;
  return async (steps) => {
    for (;;) {
      const began = performance.now();
      const step = steps.next();
      spentMs += performance.now() - began;
      if (step.done === true) return step.value;
      if (spentMs > limits.previewMs) return undefined;
      await turn();
    }
  };
}
