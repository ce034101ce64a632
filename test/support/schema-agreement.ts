import assert from 'node:assert/strict';
import type { DescMessage } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { bytesFromJson } from '../../service/messages/message-from-json.ts';
import { jsonFromBytes } from '../../service/messages/message-to-json.ts';
import type { MessageRegistry } from '../../service/messages/registry.ts';
import { arbitraryBytes } from './arbitrary-message.ts';
import { canonicalSpelling } from './canonical-spelling.ts';
import { mutatedJson } from './mutated-json.ts';

/** Whether a schema takes JSON. */
export type Accepts = (json: unknown) => boolean;

export interface AgreementOptions {
  registry: MessageRegistry;
  typeName: string;
  accepts: Accepts;
  form: 'json-schema' | 'openapi';
  /** Refusals of the service that no schema can foresee (docs/json-schema.md). */
  unforeseen: readonly RegExp[];
  runs: number;
}

/** Refusals that neither JSON Schema nor OpenAPI can foresee. */
export const unforeseenRefusals: readonly RegExp[] = [
  // The range of an integer that is written as text, or has 64 bits.
  /expected an integer of (32|64) bits, (un)?signed, got "-?\d+(\.\d+)?(e\+\d+)?"/,
  /expected an integer of 64 bits, (un)?signed, got -?\d/,
  /^[^"]*"?-?\d+(\.\d+)?(e\+\d+)?"? is no google\.protobuf\.U?Int(32|64)Value: /,
  /"-?\d+(\.\d+)?s" is no google\.protobuf\.Duration: cannot decode/,
  // Days and years that there are not.
  /"[0-9T:.Z+-]+" is no google\.protobuf\.Timestamp: (there is no such day|cannot decode .*must be from)/,
  // What is in an Any.
  /is no google\.protobuf\.Any: /,
];

/**
 * What a schema of an input takes the service takes, and the other way round, for many random messages and what becomes of them
 * when they are altered.
 */
export function assertInputsAgree({
  registry,
  typeName,
  accepts,
  form,
  unforeseen,
  runs,
}: AgreementOptions): void {
  const type = typeOf(registry, typeName);
  const property = fc.property(mutatedJson(registry, type), (json) => {
    const text = JSON.stringify(json);
    const answer = bytesFromJson(registry, typeName, text);
    if (accepts(json)) {
      if (answer.ok) return;
      const { message } = answer.error;
      assert.ok(
        unforeseen.some((known) => known.test(message)),
        `the schema takes ${text}, the service does not: ${message}`,
      );
    } else if (answer.ok) {
      const canonical = canonicalSpelling(type, json, form);
      assert.ok(
        accepts(canonical),
        `the service takes ${text}, the schema not even ${JSON.stringify(canonical)}`,
      );
    }
  });
  fc.assert(property, { numRuns: runs, endOnFailure: true });
}

/** Whatever the service writes is what a schema of an output tells its readers to expect. */
export function assertOutputsFit(
  registry: MessageRegistry,
  typeName: string,
  accepts: Accepts,
  runs: number,
): void {
  const property = fc.property(arbitraryBytes(typeOf(registry, typeName)), (bytes) => {
    const json = jsonFromBytes(registry, typeName, bytes);
    assert.ok(json.ok, json.ok ? '' : json.error.message);
    assert.ok(accepts(JSON.parse(json.value)), json.value);
  });
  fc.assert(property, { numRuns: runs, endOnFailure: true });
}

function typeOf(registry: MessageRegistry, typeName: string): DescMessage {
  const type = registry.getMessage(typeName);
  assert.ok(type, typeName);
  return type;
}
