import { setTimeout as pause } from 'node:timers/promises';
import { type NodeContext, type NodePauseRequest } from '../../../service/nodes/serve/node-handlers.ts';

/** The only message of the packages: input and output of every node. */
interface Item {
  id: string;
  delayMs: number;
  copies: number;
  pauseSeconds: number;
  decision: string;
  escalateSeconds: number;
  failures: number;
}

interface NodeDefinition {
  mode: 'unary' | 'pipeline';
  handler: (input: never, context: NodeContext) => unknown;
}

const source = `syntax = "proto3";
package soak.v1;

// What a node gets and returns.
message Item {
  string id = 1;
  int32 delay_ms = 2;
  int32 copies = 3;
  int32 pause_seconds = 4;
  string decision = 5;
  int32 escalate_seconds = 6;
  int32 failures = 7;
}
`;

/** Sources of both packages. */
export const protos = { 'soak/v1/item.proto': source };

/** The packages `acme/soak-steps` and `acme/soak-streams`, by the end of their names. */
export const packages = {
  steps: {
    Work: { mode: 'unary', handler: work },
    Ask: { mode: 'unary', handler: ask },
  },
  streams: { Pipe: { mode: 'pipeline', handler: pipe } },
} as const satisfies Record<string, Record<string, NodeDefinition>>;

/** Names of the packages. */
export type PackageTitle = keyof typeof packages;

/** Returns the nodes of a package as `package.yaml` declares them. */
export function declarationsOf(title: PackageTitle): { name: string; mode: 'unary' | 'pipeline' }[] {
  const ports = { input: 'soak.v1.Item', output: 'soak.v1.Item' };
  return Object.entries<NodeDefinition>(packages[title]).map(([name, { mode }]) => ({
    name,
    mode,
    ...ports,
  }));
}

/** Fails as many times as its input requests. */
async function work(
  { id, delayMs, decision, failures }: Item,
  { attempt, fail, signal }: NodeContext,
): Promise<Partial<Item>> {
  if (attempt <= failures) fail(`attempt ${attempt}`);
  if (delayMs > 0) await pause(delayMs, undefined, { signal });
  return { id, decision };
}

function ask(input: Item, context: NodeContext): Partial<Item> | NodePauseRequest {
  if (context.resumed) return { id: input.id, decision: input.decision };
  return context.pause({
    ask: { id: input.id, escalateSeconds: input.escalateSeconds },
    timeoutSeconds: input.pauseSeconds,
    ...(input.escalateSeconds > 0 && { escalateAfterSeconds: input.escalateSeconds }),
  });
}

/** Returns each item, or the requested number of numbered copies of it. */
async function* pipe(items: AsyncIterable<Item>, { signal }: NodeContext): AsyncGenerator<Partial<Item>> {
  for await (const { id, delayMs, copies } of items) {
    for (let n = 0; n < Math.max(copies, 1); n += 1) {
      if (delayMs > 0) await pause(delayMs, undefined, { signal });
      yield { id: copies === 0 ? id : `${id}/${n}` };
    }
  }
}
