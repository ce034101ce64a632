import type { NodeContext } from '../../service/nodes/serve/node-handlers.ts';
import { type NodeServer, servePackage } from '../../service/nodes/serve/serve-package.ts';
import type { Caller } from './running-service.ts';
import { compiledRegistry } from './compiled-protos.ts';

/** Messages of the pipeline nodes. */
interface Text {
  text: string;
  number: bigint;
}

type Handler = (frames: AsyncIterable<Text>, context: NodeContext) => unknown;

/** A published package of pipeline nodes whose handlers tests replace, served over gRPC. */
export interface StreamPackage {
  /** By node: `Flow` and `Other` are pipeline nodes, `Once` is unary. Without an entry, a node returns its input. */
  handlers: Map<string, Handler>;
  once: { handler: (input: Text, context: NodeContext) => unknown };
  /** Restores the nodes, so that all of them return their input. */
  reset(): void;
  server: NodeServer;
}

const protos = {
  's.proto': `syntax = "proto3"; package s;
enum Kind { KIND_NONE = 0; KIND_SOME = 1; }
message Text { string text = 1; int64 number = 2; Kind kind = 3; }`,
};

const ports = { input: 's.Text', output: 's.Text' };

async function* echo(frames: AsyncIterable<Text>) {
  for await (const frame of frames) yield frame;
}

/** Publishes `<handle>/<title>@1.0.0` with a container of its own. */
export async function publishStreams(
  caller: Caller,
  handle: string,
  title = 'streams',
): Promise<StreamPackage> {
  const handlers: StreamPackage['handlers'] = new Map();
  const unchanged = (input: Text): unknown => input;
  const once: StreamPackage['once'] = { handler: unchanged };
  const declarations = [
    { name: 'Flow', ...ports, mode: 'pipeline' as const },
    { name: 'Other', ...ports, mode: 'pipeline' as const },
    { name: 'Once', ...ports, mode: 'unary' as const },
    { name: 'Open', output: 's.Text', mode: 'pipeline' as const, kind: 'generic', generic: ['input'] },
  ];
  const name = `${handle}/${title}`;
  const hosted = {
    name,
    version: '1.0.0',
    registry: await compiledRegistry(protos),
    nodes: new Map(
      declarations.map((declared) => [
        declared.name,
        {
          declaration: {
            kind: 'standard',
            generic: [],
            description: '',
            required_secrets: [],
            ...declared,
          } as never,
          handler: (input: never, context: NodeContext) =>
            declared.mode === 'unary'
              ? once.handler(input, context)
              : (handlers.get(declared.name) ?? echo)(input, context),
        },
      ]),
    ),
  };
  const server = await servePackage(hosted, { port: 0, report: () => undefined });
  const body = { name, version: '1.0.0', protos, nodes: declarations, endpoint: server.endpoint };
  const answer = await caller.post('/api/v1/packages', body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const reset = (): void => {
    handlers.clear();
    once.handler = unchanged;
  };
  return { handlers, once, reset, server };
}
