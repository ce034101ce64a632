import assert from 'node:assert/strict';
import { z } from 'zod';
import { problemText } from '../../../specs/operations/problem-text.ts';
import { storableText } from '../../../specs/operations/storable-text.ts';

describe('the text of a problem', () => {
  const problemOf = (shape: z.ZodType, value: unknown): string | undefined =>
    shape.safeParse(value, { error: problemText }).error?.issues[0]?.message;

  it('reports the limit and the size', () => {
    const cases: [shape: z.ZodType, value: unknown, text: string | undefined][] = [
      [storableText.max(3), 'abc', undefined],
      [storableText.max(3), 'abcd', 'must have at most 3 characters, and has 4'],
      [z.string().max(3), 'abcd', 'must have at most 3 characters, and has 4'],
      [z.string().min(1), '', 'must have at least 1 character, and has 0'],
      [z.array(z.int()).max(2), [1, 2], undefined],
      [z.array(z.int()).max(2), [1, 2, 3], 'must have at most 2 entries, and has 3'],
      [z.array(z.int()).min(1), [], 'must have at least 1 entry, and has 0'],
      [z.int().min(1), 0, 'must be at least 1'],
      [z.number().max(2.5), 3, 'must be at most 2.5'],
      [z.number().positive(), 0, 'must be above 0'],
      [z.number().lt(2), 2, 'must be below 2'],
      [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
    ];
    for (const [shape, value, text] of cases) assert.equal(problemOf(shape, value), text);
  });

  it('lists the known keys for an unknown one', () => {
    const shape = z.strictObject({ name: z.string(), size: z.int().optional() });
    assert.equal(problemOf(shape, { name: 'a', nmae: 1 }), 'unknown key "nmae": use name, size');
    assert.equal(problemOf(shape, { name: 'a', x: 1, y: 2 }), 'unknown keys "x", "y": use name, size');
  });

  it('reports what is missing, and what a value must be', () => {
    const shape = z.strictObject({
      version: z.string(),
      mode: z.enum(['unary', 'pipeline']).optional(),
      kind: z.literal('flow').optional(),
      count: z.int().optional(),
      names: z.array(z.string()).optional(),
      node: z.strictObject({ id: z.string(), text: z.string() }).optional(),
      config: z.record(z.string(), z.string()).optional(),
      wait: z.boolean().optional(),
    });
    const cases: [value: object, text: string][] = [
      [{}, 'is required'],
      [{ version: 1 }, 'must be a string: put the number in quotes'],
      [{ version: true }, 'must be a string: put true in quotes'],
      [{ version: [] }, 'must be a single string, and is a list'],
      [{ version: '', mode: 'stream' }, 'must be one of "unary", "pipeline"'],
      [{ version: '', kind: 'node' }, 'must be "flow"'],
      [{ version: '', count: 'x' }, 'must be a number'],
      [{ version: '', count: 1.5 }, 'must be a whole number'],
      [{ version: '', names: 'x' }, 'must be a list'],
      [{ version: '', node: 'x' }, 'must be an object with the keys id, text'],
      [{ version: '', config: 'x' }, 'must be an object'],
      [{ version: '', wait: 'yes' }, 'must be true or false'],
    ];
    for (const [value, text] of cases) assert.equal(problemOf(shape, value), text);
    assert.equal(problemOf(z.object({ sample: z.unknown().nonoptional() }), {}), 'is required');
  });

  it('yields to the text of the schema, and to other problems', () => {
    assert.equal(problemOf(z.array(z.int()).min(1, { error: 'needs a number' }), []), 'needs a number');
    assert.equal(problemOf(storableText.max(3), 7), 'must be a string: put the number in quotes');
    assert.equal(problemOf(storableText.max(3), []), 'must be a single string, and is a list');
    assert.equal(problemOf(storableText.max(3), undefined), 'is required');
    assert.match(problemOf(z.int().max(3), 'x') ?? '', /expected number/);
    assert.match(problemOf(z.string().regex(/a/), 'x') ?? '', /must match pattern/);
  });
});
