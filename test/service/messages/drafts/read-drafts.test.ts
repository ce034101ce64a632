import assert from 'node:assert/strict';
import { readDrafts } from '../../../../service/messages/drafts/read-drafts.ts';

type Fields = Record<string, unknown>;

const draft = (message_name: string, fields: Fields) => ({ message_name, fields });
const nested = (message: object) => ({ kind: 'message', message });

/** A message with `levels - 1` nested levels. */
function tower(levels: number): object {
  const inner = levels === 1 ? 'string' : nested(tower(levels - 1));
  return draft(`Level${levels}`, { value: inner });
}

function manyFields(count: number, kind: (index: number) => unknown = () => 'string'): Fields {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, kind(index)]));
}

function problemOf(output: unknown): string {
  try {
    readDrafts({ output });
  } catch (error) {
    assert.equal((error as Error).name, 'DraftError');
    return (error as Error).message;
  }
  return assert.fail('the draft was taken');
}

describe('reading message drafts', () => {
  it('accepts every scalar kind, lists, optional fields and nested messages', () => {
    const { messages, roots } = readDrafts({
      output: {
        message_name: 'Invoice',
        description: 'What is owed.',
        fields: {
          number: 'string',
          unit_price: { kind: 'double', optional: true, description: 'Before tax.' },
          tags: { kind: 'bytes', repeated: true },
          lines: { kind: 'message', repeated: true, message: draft('Line', { sku: 'int64' }) },
          sold_to: nested(draft('Customer', { name: { kind: 'string', optional: false } })),
        },
      },
    });
    assert.deepEqual(roots, { output: 'Invoice' });
    assert.deepEqual(
      messages.map(({ name, description }) => [name, description]),
      [
        ['Invoice', 'What is owed.'],
        ['Line', ''],
        ['Customer', ''],
      ],
    );
    assert.deepEqual(messages[0]?.fields, [
      {
        name: 'number',
        jsonName: 'number',
        description: '',
        cardinality: 'single',
        type: { scalar: 'string' },
      },
      {
        name: 'unit_price',
        jsonName: 'unitPrice',
        description: 'Before tax.',
        cardinality: 'optional',
        type: { scalar: 'double' },
      },
      { name: 'tags', jsonName: 'tags', description: '', cardinality: 'repeated', type: { scalar: 'bytes' } },
      {
        name: 'lines',
        jsonName: 'lines',
        description: '',
        cardinality: 'repeated',
        type: { message: 'Line' },
      },
      {
        name: 'sold_to',
        jsonName: 'soldTo',
        description: '',
        cardinality: 'single',
        type: { message: 'Customer' },
      },
    ]);
  });

  describe('with the same name', () => {
    it('merges equal shapes into one message with the description of the first', () => {
      const line = (description: string) => ({
        message_name: 'Line',
        description,
        fields: { sku: { kind: 'string', description: `${description} field` } },
      });
      const { messages } = readDrafts({
        output: draft('Invoice', { first: nested(line('one')) }),
        input: draft('Order', { second: nested(line('other')) }),
      });
      assert.deepEqual(
        messages.map(({ name }) => name),
        ['Invoice', 'Line', 'Order'],
      );
      assert.equal(messages[1]?.description, 'one');
      assert.equal(messages[1].fields[0]?.description, 'one field');
    });

    for (const [what, other] of [
      ['another kind', { sku: 'bytes' }],
      ['another cardinality', { sku: { kind: 'string', optional: true } }],
      ['another field', { sku: 'string', count: 'int32' }],
      ['another order, which numbers the fields', { count: 'int32', sku: 'string' }],
    ] as const) {
      it(`rejects ${what}`, () => {
        const one = what.includes('order') ? { sku: 'string', count: 'int32' } : { sku: 'string' };
        const drafts = draft('Invoice', { a: nested(draft('Line', one)), b: nested(draft('Line', other)) });
        assert.equal(
          problemOf(drafts),
          'output.fields.b.message: message "Line" is already defined with other fields: rename one of the two messages',
        );
      });
    }

    it('rejects a message nested in itself', () => {
      const drafts = draft('Line', { inner: nested(draft('Line', { sku: 'string' })) });
      assert.match(problemOf(drafts), /^output: message "Line" is already defined with other fields/);
    });
  });

  describe('at the limits', () => {
    it('accepts 10 levels and rejects 11', () => {
      assert.equal(readDrafts({ output: tower(10) }).messages.length, 10);
      assert.match(problemOf(tower(11)), /: messages nest deeper than 10 levels$/);
    });

    it('accepts 100 distinct messages in total and rejects 101', () => {
      const root = (name: string, count: number) =>
        draft(
          name,
          manyFields(count - 1, (index) => nested(draft(`${name}Part${index}`, { value: 'string' }))),
        );
      assert.equal(readDrafts({ output: root('A', 50), input: root('B', 50) }).messages.length, 100);
      assert.throws(() => readDrafts({ output: root('A', 50), input: root('B', 51) }), {
        message: 'input.fields.field_49.message: the drafts define more than 100 messages',
      });
    });

    it('counts a message once even if it is drafted several times', () => {
      const part = nested(draft('Part', { value: 'string' }));
      assert.equal(
        readDrafts({
          output: draft(
            'A',
            manyFields(200, () => part),
          ),
        }).messages.length,
        2,
      );
    });

    it('accepts 200 fields of a message and rejects 201', () => {
      assert.equal(readDrafts({ output: draft('A', manyFields(200)) }).messages[0]!.fields.length, 200);
      assert.equal(
        problemOf(draft('A', manyFields(201))),
        'output: fields has 201 entries: a message has at most 200',
      );
    });

    it('accepts names of 128 characters and rejects longer ones', () => {
      assert.equal(readDrafts({ output: draft('A'.repeat(128), { b: 'bool' }) }).messages.length, 1);
      assert.match(problemOf(draft('A'.repeat(129), { b: 'bool' })), /is longer than 128 characters$/);
      assert.match(problemOf(draft('A', { ['b'.repeat(129)]: 'bool' })), /is longer than 128 characters$/);
    });
  });

  const refusals: [what: string, draft: unknown, problem: string | RegExp][] = [
    ['a string', 'Invoice', 'output: must be an object with the keys message_name, description, fields'],
    ['a list', [], /must be an object/],
    ['null', null, /must be an object/],
    ['no name', { fields: { a: 'bool' } }, /^output: message_name is required/],
    ['an empty name', draft('', { a: 'bool' }), /^output: message_name is required/],
    [
      'a name with a dot',
      draft('acme.Invoice', { a: 'bool' }),
      /message_name "acme.Invoice" must begin with/,
    ],
    ['a name that begins with a digit', draft('1nvoice', { a: 'bool' }), /must begin with a letter/],
    ['a name with non-ASCII letters', draft('Größe', { a: 'bool' }), /must begin with a letter/],
    [
      'no fields',
      { message_name: 'A' },
      'output: fields is required: an object that maps field names to definitions',
    ],
    ['fields as a list', { message_name: 'A', fields: ['a'] }, /fields is required: an object/],
    ['empty fields', draft('A', {}), 'output: fields is empty: add at least one field'],
    [
      'an unknown key',
      { ...draft('A', { a: 'bool' }), name: 'A' },
      /^output: unknown key "name": the keys are/,
    ],
    ['a description of another type', { ...draft('A', { a: 'bool' }), description: 1 }, /must be a string$/],
    ['a field name with a dash', draft('A', { 'a-b': 'bool' }), /^output: field name "a-b" must begin with/],
    ['an empty field name', draft('A', { '': 'bool' }), /^output: field name "" must begin with/],
    [
      'a field name of underscores',
      draft('A', { __: 'bool' }),
      /^output: field name "__" must contain a letter/,
    ],
    [
      'two fields that are one in JSON',
      draft('A', { foo_bar: 'bool', fooBar: 'bool' }),
      'output: fields "foo_bar" and "fooBar" have the same JSON name "fooBar": rename one of them',
    ],
    [
      'an unknown kind',
      draft('A', { a: 'strin' }),
      /^output.fields.a: unknown kind "strin": use string, int32/,
    ],
    ['a wire encoding as the kind', draft('A', { a: 'sint32' }), /unknown kind "sint32"/],
    [
      'a number for a field',
      draft('A', { a: 1 }),
      /^output.fields.a: must be an object with the keys kind, repeated/,
    ],
    ['a missing kind', draft('A', { a: {} }), /^output.fields.a: kind is required: use/],
    ['a misspelt key', draft('A', { a: { kind: 'bool', repeatd: true } }), /unknown key "repeatd"/],
    [
      'a flag that is not a boolean',
      draft('A', { a: { kind: 'bool', repeated: 'yes' } }),
      /repeated must be true or/,
    ],
    [
      'repeated and optional',
      draft('A', { a: { kind: 'bool', repeated: true, optional: true } }),
      'output.fields.a: repeated and optional are mutually exclusive: remove one of them',
    ],
    ['a message without a draft', draft('A', { a: { kind: 'message' } }), /a: message is required/],
    [
      'a scalar with a draft',
      draft('A', { a: { kind: 'bool', message: {} } }),
      /message is allowed only for kind "message"/,
    ],
    [
      'a nested draft that is not an object',
      draft('A', { a: nested([]) }),
      /^output.fields.a.message: must be/,
    ],
  ];
  for (const [what, given, problem] of refusals) {
    it(`rejects ${what}`, () => {
      const text = problemOf(given);
      if (typeof problem === 'string') assert.equal(text, problem);
      else assert.match(text, problem);
    });
  }

  it('truncates quoted input', () => {
    assert.ok(problemOf(draft('A', { a: 'x'.repeat(100_000) })).length < 400);
    assert.ok(problemOf({ ['y'.repeat(100_000)]: 1 }).length < 400);
  });
});
