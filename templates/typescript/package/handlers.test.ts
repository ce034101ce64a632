import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeContext } from 'svc/node';
import handlers from './handlers.ts';

/** The part of the context that the handlers use. */
const context = {
  attempt: 1,
  log: () => undefined,
  fail: (message: string) => {
    throw new Error(message);
  },
  pause: (request: object) => request,
} as unknown as NodeContext;

test('greets by name', async () => {
  assert.deepEqual(await handlers.Greet({ name: 'Ada' }, context), { text: 'Hello, Ada!' });
});

test('refuses an empty name', async () => {
  await assert.rejects(handlers.Greet({ name: '' }, context), { message: 'name must not be empty' });
});

test('greets each person of a stream', async () => {
  async function* people() {
    yield { name: 'Ada' };
    yield { name: 'Grace' };
  }
  const greetings: object[] = [];
  for await (const greeting of handlers.GreetAll(people())) greetings.push(greeting);
  assert.deepEqual(greetings, [{ text: 'Hello, Ada!' }, { text: 'Hello, Grace!' }]);
});

test('asks a human for a missing name', async () => {
  assert.deepEqual(await handlers.Welcome({ name: '' }, context), {
    ask: { question: 'Who should be welcomed?' },
  });
});
