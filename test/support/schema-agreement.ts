import assert from 'node:assert/strict';
import type { DescMessage } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { bytesFromJson } from '../../service/messages/json/message-from-json.ts';
import { jsonFromBytes } from '../../service/messages/json/message-to-json.ts';
import type { MessageRegistry } from '../../service/messages/registry.ts';
import { arbitraryBytes } from './arbitrary-message.ts';
import { canonicalSpelling } from './canonical-spelling.ts';
import { mutatedJson } from './mutated-json.ts';
import { randomCases } from './fast-run.ts';

/** Reports whether a schema accepts JSON. */
export type Accepts = (json: unknown) => boolean;

interface AgreementOptions {
  registry: MessageRegistry;
  typeName: string;
  accepts: Accepts;
  form: 'json-schema' | 'openapi';
  /** Refusals of the service that no schema can express (docs/json-schema.md). */
  unforeseen: readonly RegExp[];
  runs: number;
}

/** Refusals that neither JSON Schema nor OpenAPI can express. */
export const unforeseenRefusals: readonly RegExp[] = [
  // The range of an integer in text form, or of 64 bits.
  /expected an? (un)?signed (32|64)-bit integer, got "-?\d+(\.\d+)?(e\+\d+)?"/,
  /expected an? (un)?signed 64-bit integer, got -?\d/,
  /(?:^|: )"?-?\d+(\.\d+)?(e\+\d+)?"? is not a valid google\.protobuf\.U?Int(32|64)Value: /,
  /"-?\d+(\.\d+)?s" is not a valid google\.protobuf\.Duration: cannot decode/,
  // The range of a float in text form.
  /expected a number \((float|double)\), got "-?\d/,
  /"-?\d+(\.\d+)?([eE][+-]?\d+)?" is not a valid google\.protobuf\.(Float|Double)Value: /,
  // Days and years that do not exist.
  /"[0-9T:.Z+-]+" is not a valid google\.protobuf\.Timestamp: (the date does not exist|cannot decode .*must be from)/,
  // The content of an Any.
  /is not a valid google\.protobuf\.Any: /,
];

/**
 * Asserts that the schema of an input accepts exactly the inputs that the service accepts, for many random messages and
 * mutations of them.
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
  fc.assert(property, { numRuns: randomCases(runs), endOnFailure: true });
}

/** Asserts that every output of the service matches its schema. */
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
  fc.assert(property, { numRuns: randomCases(runs), endOnFailure: true });
}

function typeOf(registry: MessageRegistry, typeName: string): DescMessage {
  const type = registry.getMessage(typeName);
  assert.ok(type, typeName);
  return type;
}
