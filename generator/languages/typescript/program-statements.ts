import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import type { JsonValue, SdkMember } from '../../model/sdk-model.ts';
import type { WellKnown } from '../../../specs/messages/message-model.ts';
import { assignment, indented, print } from './layout.ts';
import { stringLiteral } from './string-literal.ts';

/** `const sample = '{"text":"example"}';` in a block at this nesting depth. */
export function sampleStatement(sample: JsonValue, levels: number): string {
  return print(indented(levels, [assignment('const sample', stringLiteral(JSON.stringify(sample))), ';']));
}

/** `assert.equal(request.path, "/invocations/...");` in a test. */
export function pathStatement(path: string): string {
  return print(indented(3, [bracketed('assert.equal(', ['request.path', stringLiteral(path)], ')'), ';']));
}

/** `const input = fromJson(wordType, sample);` in a test. */
export function inputStatement(table: string): string {
  return print(indented(3, ['const input = ', bracketed('fromJson(', [table, 'sample'], ')'), ';']));
}

/** Returns the body of a call: the input of a node, or an object that contains the input of a flow. */
export function sentBody(member: SdkMember, table: string): Layout {
  const json = bracketed('toJson(', [table, 'input'], ')');
  return member.type === 'flow'
    ? bracketed('assert.ok(', [bracketed('request.body.includes(', [json], ')')], ')')
    : bracketed('assert.equal(', ['request.body', json], ')');
}

/** Returns ProtoJSON that is a value of the type. */
export function smallestAnswer(type: WellKnown | undefined): string {
  switch (type) {
    case 'BoolValue':
      return 'false';
    case 'BytesValue':
    case 'FieldMask':
    case 'StringValue':
      return '""';
    case 'DoubleValue':
    case 'FloatValue':
    case 'Int32Value':
    case 'Int64Value':
    case 'UInt32Value':
    case 'UInt64Value':
      return '0';
    case 'Duration':
      return '"0s"';
    case 'ListValue':
      return '[]';
    case 'Timestamp':
      return '"1970-01-01T00:00:00Z"';
    default:
      return '{}';
  }
}
