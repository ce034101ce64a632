import type { Handlers } from './messages.ts';

/** The nodes of acme/greeter. */
export default {
  async Greet({ name }, context) {
    // Not retryable: every attempt with this input would fail.
    if (name === '') context.fail('name must not be empty', { retryable: false });
    context.log('info', `greeting, attempt ${context.attempt}`);
    return { text: `Hello, ${name}!` };
  },

  async *GreetAll(requests) {
    for await (const { name } of requests) yield { text: `Hello, ${name}!` };
  },

  async Welcome({ name }, context) {
    // In a flow, the run waits for the decision, which replaces the input. Nothing of this call is kept. Put everything that the
    // node needs into the question, so that the decision can return it (docs/node-containers.md, "Asking a human").
    if (name === '') return context.pause({ ask: { question: 'Who should be welcomed?' } });
    return { text: `Welcome, ${name}!` };
  },
} satisfies Handlers;
