import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createStepCall } from '../step-call.ts';

/** The used part of `@restatedev/restate-sdk`. The package.json of this bench installs it, so the project has no types of it. */
interface Sdk {
  service(definition: { name: string; handlers: Record<string, unknown> }): unknown;
  createEndpointHandler(options: { services: unknown[] }): Parameters<typeof createServer>[1];
  serde: { binary: object };
}
interface Context {
  request(): { id: string };
  awakeable(): { id: string; promise: Promise<unknown> };
  run(name: string, action: () => Promise<Uint8Array>, options: object): Promise<Uint8Array>;
}

/**
 * Runs that pause, as a Restate service: the first node is called, the run waits at an awakeable, the node is called
 * again with the decision, and then the last node is called. `restate-asks.ts <endpoint>`; prints the URL of the
 * service, and a second URL. The second one serves `/asked/<number>`, with the id of the awakeable of a run once the
 * run waits, and `/completed`, with the number of completed runs.
 */
const [endpoint = ''] = process.argv.slice(2);
const packageName = '@restatedev/restate-sdk' as string;
const restate = (await import(packageName)) as Sdk;
const call = createStepCall(endpoint);
const { binary } = restate.serde;

const asked = new Map<number, PromiseWithResolvers<string>>();
let completed = 0;

function awakeableOf(number: number): PromiseWithResolvers<string> {
  const known = asked.get(number) ?? Promise.withResolvers<string>();
  asked.set(number, known);
  return known;
}

async function asks(ctx: Context, { number, text }: { number: number; text: string }): Promise<unknown> {
  const executionId = ctx.request().id;
  const step = (place: number, input: Uint8Array): Promise<Uint8Array> =>
    ctx.run(`n${place}`, () => call({ executionId, number: place, input }), { serde: binary });
  const { id, promise } = ctx.awakeable();
  await step(0, Buffer.from(text));
  awakeableOf(number).resolve(id);
  const decision = await promise;
  const output = await step(2, await step(1, Buffer.from(String(decision))));
  completed += 1;
  return { text: Buffer.from(output).toString() };
}

async function portOf(server: Server | ReturnType<typeof createServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const services = [restate.service({ name: 'bench', handlers: { asks } })];
const service = createServer(restate.createEndpointHandler({ services }));
const side = createHttpServer((request, response) => {
  const [, number] = /^\/asked\/(\d+)$/.exec(request.url ?? '') ?? [];
  if (number === undefined) response.end(String(completed));
  else {
    void awakeableOf(Number(number)).promise.then((id) => {
      asked.delete(Number(number));
      response.end(id);
    });
  }
});
process.stdout.write(`http://127.0.0.1:${await portOf(service)} http://127.0.0.1:${await portOf(side)}\n`);
