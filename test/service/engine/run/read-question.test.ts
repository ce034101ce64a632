import assert from 'node:assert/strict';
import { limits } from '../../../../specs/limits.ts';
import { readQuestion } from '../../../../service/engine/run/read-question.ts';

type Request = Parameters<typeof readQuestion>[1];

const message = (typeName: string, ...names: string[]) => ({
  typeName,
  fields: names.map((name) => ({
    name,
    jsonName: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  })),
});

const input = message('acme.Known', 'is_approved', 'id');
const messages = [
  input,
  message('acme.Part', 'isApproved'),
  message('acme.More', 'id', 'the_reason'),
  message('google.protobuf.Struct', 'fields'),
];

const node = {
  compiled: { id: 'ask' },
  registry: { getMessage: (name: string) => messages.find(({ typeName }) => typeName === name) },
  input,
} as unknown as Parameters<typeof readQuestion>[0];

const read = (fields: Partial<Request>) =>
  readQuestion(node, {
    kind: 'pause',
    interruptPayloadJson: '{}',
    resumeSchema: '',
    timeoutSeconds: 0,
    escalateAfterSeconds: 0,
    timeoutPolicy: '',
    ...fields,
  });

describe("a node's request for a decision", () => {
  it('defaults to one day and the input message of the node', () => {
    const question = { question: '{}', resumeSchema: 'acme.Known', timeoutMs: limits.pauseSeconds * 1_000 };
    assert.deepEqual(read({}), question);
    assert.deepEqual(read({ timeoutSeconds: 60, timeoutPolicy: 'CANCEL' }), {
      ...question,
      timeoutMs: 60_000,
    });
  });

  it('is limited to 29 days', () => {
    for (const [seconds, taken] of [
      [limits.maxPauseSeconds - 1, limits.maxPauseSeconds - 1],
      [limits.maxPauseSeconds, limits.maxPauseSeconds],
      [limits.maxPauseSeconds + 1, limits.maxPauseSeconds],
    ] as const) {
      const question = read({ timeoutSeconds: seconds });
      assert.ok('timeoutMs' in question);
      assert.equal(question.timeoutMs, taken * 1_000);
    }
    assert.ok(limits.maxPauseSeconds < limits.checkpointRetentionDays * 86_400);
  });

  it('accepts only a message whose fields exist in the input message', () => {
    for (const resumeSchema of ['acme.Known', 'acme.Part', 'google.protobuf.Struct']) {
      assert.partialDeepStrictEqual(read({ resumeSchema }), { resumeSchema });
    }
    const error =
      'node "ask" requested a human decision, but its input message acme.Known lacks the field "the_reason" of acme.More, so that ' +
      'no decision can set it';
    assert.deepEqual(read({ resumeSchema: 'acme.More' }), { error });
  });

  it('escalates only before it expires', () => {
    for (const [seconds, after] of [
      [0, undefined],
      [59, 59_000],
      [60, undefined],
    ] as const) {
      const question = read({ timeoutSeconds: 60, escalateAfterSeconds: seconds });
      assert.ok('timeoutMs' in question);
      assert.equal(question.escalateAfterMs, after);
    }
  });

  it('passes a question that is not JSON or is nested too deeply as text, and a missing one as null', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    for (const [text, question] of [
      [nested(100), nested(100)],
      [nested(101), JSON.stringify(nested(101))],
      [nested(30_000), JSON.stringify(nested(30_000))],
      ['', 'null'],
      ['go?', '"go?"'],
      ['{"id": 9007199254740993}', '{"id": 9007199254740993}'],
    ] as const) {
      assert.partialDeepStrictEqual(read({ interruptPayloadJson: text }), { question });
    }
  });
});
