import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createStepCall } from '../step-call.ts';

/** The used part of `@restatedev/restate-sdk`. The package.json of this bench installs it, so the project has no types of it. */
interface Sdk {
  service(definition: { name: string; handlers: Record<string, unknown> }): unknown;
  createEndpointHandler(options: { services: unknown[] }): Parameters<typeof createServer>[1];
  handlers: { handler(options: object, handler: (ctx: Context, input: Uint8Array) => unknown): unknown };
  serde: { binary: object };
}
interface Context {
  request(): { id: string };
  run(name: string, action: () => Promise<Uint8Array>, options: object): Promise<Uint8Array>;
}

/**
 * Flows as a Restate service. Each step is a durable `ctx.run`, which makes the same call as the service does, and
 * whose result Restate stores before the next step begins. `restate-steps.ts <endpoint> <steps>...`; prints its URL.
 * Handlers are `chain<steps>`.
 */
const [endpoint = '', ...lengths] = process.argv.slice(2);
const packageName = '@restatedev/restate-sdk' as string;
const restate = (await import(packageName)) as Sdk;
const call = createStepCall(endpoint);
const { binary } = restate.serde;

const chain = (steps: number): unknown =>
  restate.handlers.handler({ input: binary, output: binary }, async (ctx, input) => {
    const executionId = ctx.request().id;
    let message = input;
    for (let number = 0; number < steps; number += 1) {
      const given = message;
      message = await ctx.run(`n${number}`, () => call({ executionId, number, input: given }), {
        serde: binary,
      });
    }
    return message;
  });

const handlers = Object.fromEntries(lengths.map((steps) => [`chain${steps}`, chain(Number(steps))]));
const services = [restate.service({ name: 'bench', handlers })];
const server = createServer(restate.createEndpointHandler({ services }));
await once(server.listen(0, '127.0.0.1'), 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
