import type { Handlers } from './messages.ts';

/** The nodes of acme/greeter. */
export default {
  async Greet({ name }, context) {
    // The caller could send the same again only: no attempt would succeed.
    if (name === '') context.fail('name must not be empty', { retryable: false });
    context.log('info', `greeting, attempt ${context.attempt}`);
    return { text: `Hello, ${name}!` };
  },

  async *GreetAll(requests) {
    for await (const { name } of requests) yield { text: `Hello, ${name}!` };
  },

  async Welcome({ name }, context) {
    // In a flow, the run waits for the decision, which replaces the input: nothing of this call is kept. Put what the node needs
    // into the question, so that the decision can bring it back (docs/node-containers.md, "Asking a human").
    if (name === '') return context.pause({ ask: { question: 'Who is to be welcomed?' } });
    return { text: `Welcome, ${name}!` };
  },
} satisfies Handlers;
