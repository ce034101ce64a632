import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import { standalone } from './flow-texts.ts';
import { functionHead, typeLayout } from './layout.ts';
import type { TypeText } from './layout.ts';
import type { NodeStreamSymbols } from './names.ts';
import { delegatingMethod } from './operation-texts.ts';
import type { OperationView } from './operation-texts.ts';

/** Returns the standalone functions of split streams of a node and of live sessions with it. */
export function nodeStreamFunctions(view: OperationView, names: NodeStreamSymbols, table: string): string[] {
  const connection = ['connection: Connection'];
  const call = (runtime: string, last: string): Layout =>
    bracketed(`${runtime}(`, ['connection', table, last], ')');
  return [
    standalone(
      createLines(view),
      createSignature(`export function ${names.create}`, connection, view),
      call('createStream', 'options'),
    ),
    standalone(
      streamLines(view),
      streamSignature(`export function ${names.stream}`, connection, view),
      call('new SplitStream', 'id'),
    ),
    standalone(
      openLines(view),
      openSignature(`export function ${names.open}`, connection, view),
      call('openLive', 'options'),
    ),
  ];
}

/** Returns the methods of the client for split streams of a node and for live sessions with it. */
export function nodeStreamMethods(view: OperationView, names: NodeStreamSymbols): string[] {
  const call = (name: string, last: string): Layout =>
    bracketed(`operations.${name}(`, ['this.connection', last], ')');
  return [
    delegatingMethod(
      createLines(view),
      createSignature(names.create, [], view),
      call(names.create, 'options'),
    ),
    delegatingMethod(streamLines(view), streamSignature(names.stream, [], view), call(names.stream, 'id')),
    delegatingMethod(openLines(view), openSignature(names.open, [], view), call(names.open, 'options')),
  ];
}

function createSignature(name: string, first: readonly string[], view: OperationView): Layout {
  const gives = typeLayout({ generic: 'Call', of: [streamType(view)] });
  return functionHead(name, [...first, 'options?: CallOptions'], gives);
}

function streamSignature(name: string, first: readonly string[], view: OperationView): Layout {
  return functionHead(name, [...first, 'id: string'], typeLayout(streamType(view)));
}

function openSignature(name: string, first: readonly string[], { input, output }: OperationView): Layout {
  const session: TypeText = { generic: 'LiveSession', of: [input.type, output.type] };
  const gives = typeLayout({ generic: 'Promise', of: [session] });
  return functionHead(name, [...first, 'options?: CallOptions'], gives);
}

function streamType({ input, output }: OperationView): TypeText {
  return { generic: 'SplitStream', of: [input.type, output.type] };
}

function createLines({ name }: OperationView): string[] {
  return [`Creates a stream of \`${name}\` that one program fills and others read.`];
}

function streamLines({ name }: OperationView): string[] {
  return [`Returns a stream of \`${name}\` by its id, even if another process created it.`];
}

function openLines({ name }: OperationView): string[] {
  return [`Opens a session with \`${name}\`: input and output at the same time.`];
}
