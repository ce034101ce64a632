import type { FlowMember, NodeMember, SdkMember } from '../../model/sdk-model.ts';
import type { WellKnown } from '../../../specs/messages/message-model.ts';
import { commentLines, docComment } from './doc-comment.ts';
import { flowFunctions, flowMethods } from './flow-texts.ts';
import { importLines, importNames } from './imports.ts';
import { functionText, methodText } from './operation-texts.ts';
import type { OperationView, RootView } from './operation-texts.ts';
import { flatType } from './layout.ts';
import type { FlowSymbols, StreamSymbols } from './names.ts';
import { streamFunctions, streamMethods } from './stream-texts.ts';

/** A member with its view. */
export type Operation = NodeOperation | FlowOperation | StreamOperation;

interface NodeOperation {
  type: 'node';
  member: NodeMember;
  view: OperationView;
}

interface FlowOperation {
  type: 'flow';
  member: FlowMember;
  view: OperationView;
  names: FlowSymbols;
}

/** A pipeline node or flow. */
interface StreamOperation {
  type: 'stream';
  member: SdkMember;
  view: OperationView;
  names: StreamSymbols;
}

/** View of `src/operations.ts`: a standalone function for each way to call a member. */
interface OperationsView {
  imports: string[];
  functions: string[];
  isEmpty: boolean;
}

/** Returns the view with the functions of all operations, in their order. It imports only what they use. */
export function operationsView(operations: readonly Operation[]): OperationsView {
  const roots = rootsOf(operations);
  const isUsed = operations.length > 0;
  const hasFlows = operations.some(({ type }) => type === 'flow');
  const has = usesOf(operations);
  return {
    imports: importLines(
      importNames(ownTypes(roots), './messages.ts', 'import type'),
      importNames(ownTables(roots), './messages.ts'),
      isUsed && 'import type { Call } from "./runtime/call.ts";',
      importNames(jsonTypes(roots), './runtime/codec/json.ts', 'import type'),
      importNames(isUsed ? valueTypes(roots) : [], './runtime/codec/values.ts', 'import type'),
      importNames(anyType(roots), './runtime/codec/well-known.ts', 'import type'),
      importNames(wellKnownTables(roots), './runtime/codec/well-known-types.ts'),
      isUsed && 'import type { Connection } from "./runtime/connection.ts";',
      hasFlows && 'import { Execution } from "./runtime/execution.ts";',
      has.streams && 'import type { FrameStream } from "./runtime/frame-stream.ts";',
      has.uploads && 'import type { StreamedInput } from "./runtime/input-lines.ts";',
      has.uploads && 'import { type LiveSession, openLive } from "./runtime/live-session.ts";',
      operations.some(({ type }) => type === 'node') &&
        'import { invokeNode } from "./runtime/invoke-node.ts";',
      isUsed && 'import type { CallOptions } from "./runtime/options.ts";',
      hasFlows && 'import { runFlow } from "./runtime/run-flow.ts";',
      has.uploads && 'import { createStream, SplitStream } from "./runtime/split-stream.ts";',
      hasFlows && 'import { startFlow } from "./runtime/start-flow.ts";',
      has.flowStreams && 'import { streamFlow } from "./runtime/stream-flow.ts";',
      has.uploads && 'import { streamNode, uploadToNode } from "./runtime/stream-node.ts";',
      (hasFlows || has.flowStreams) && 'import { warmFlow } from "./runtime/warm-flow.ts";',
    ),
    functions: operations.flatMap(functionsOf),
    isEmpty: !isUsed,
  };
}

/** View of `src/client.ts`: the class with a method for each member. */
interface ClientView {
  imports: string[];
  classComment: string;
  className: string;
  methods: string[];
}

/** Returns the view with the methods of all operations, in their order. Name and description of the client are untrusted text. */
export function clientView(
  operations: readonly Operation[],
  className: string,
  client: { name: string; description: string },
): ClientView {
  const roots = rootsOf(operations);
  const isUsed = operations.length > 0;
  const has = usesOf(operations);
  const comment = [...commentLines(client.name), '', ...commentLines(client.description)];
  return {
    imports: importLines(
      'import { connect } from "./connect.ts";',
      importNames(ownTypes(roots), './messages.ts', 'import type'),
      isUsed && 'import * as operations from "./operations.ts";',
      'import { execution } from "./runtime/any-execution.ts";',
      isUsed && 'import type { Call } from "./runtime/call.ts";',
      importNames([...jsonTypes(roots), 'JsonValue'], './runtime/codec/json.ts', 'import type'),
      importNames(isUsed ? valueTypes(roots) : [], './runtime/codec/values.ts', 'import type'),
      importNames(anyType(roots), './runtime/codec/well-known.ts', 'import type'),
      'import type { Connection } from "./runtime/connection.ts";',
      'import type { Execution } from "./runtime/execution.ts";',
      has.streams && 'import type { FrameStream } from "./runtime/frame-stream.ts";',
      has.uploads && 'import type { StreamedInput } from "./runtime/input-lines.ts";',
      'import { listPauses, type PauseOptions } from "./runtime/list-pauses.ts";',
      has.uploads && 'import type { LiveSession } from "./runtime/live-session.ts";',
      importNames(
        ['ClientOptions', ...(isUsed ? ['CallOptions'] : [])],
        './runtime/options.ts',
        'import type',
      ),
      'import type { Pause } from "./runtime/pause.ts";',
      has.uploads && 'import type { SplitStream } from "./runtime/split-stream.ts";',
    ),
    classComment: docComment(client.description === '' ? comment.slice(0, -1) : comment).trimEnd(),
    className,
    methods: operations.flatMap(methodsOf),
  };
}

function functionsOf(operation: Operation): string[] {
  switch (operation.type) {
    case 'flow':
      return flowFunctions(operation.member, operation.view, operation.names);
    case 'node':
      return [functionText(operation.member, operation.view)];
    case 'stream':
      return streamFunctions(operation.member, operation.view, operation.names);
  }
}

function methodsOf(operation: Operation): string[] {
  switch (operation.type) {
    case 'flow':
      return flowMethods(operation.member, operation.view, operation.names);
    case 'node':
      return [methodText(operation.member, operation.view)];
    case 'stream':
      return streamMethods(operation.member, operation.view, operation.names);
  }
}

/** Reports which parts of the runtime the streams among the operations need. */
function usesOf(operations: readonly Operation[]): Record<'streams' | 'flowStreams' | 'uploads', boolean> {
  const streams = operations.filter(({ type }) => type === 'stream');
  return {
    streams: streams.length > 0,
    flowStreams: streams.some(({ member }) => member.type === 'flow'),
    uploads: streams.some(({ member }) => member.type === 'node'),
  };
}

function rootsOf(operations: readonly Operation[]): RootView[] {
  return operations.flatMap(({ view }) => [view.input, view.output]);
}

function ownTypes(roots: readonly RootView[]): string[] {
  return roots.filter(({ wellKnown }) => wellKnown === undefined).map(({ type }) => flatType(type));
}

function ownTables(roots: readonly RootView[]): string[] {
  return roots.filter(({ wellKnown }) => wellKnown === undefined).map(({ table }) => table);
}

/** Tables of well-known types, which the runtime declares. */
function wellKnownTables(roots: readonly RootView[]): string[] {
  return roots.filter(({ wellKnown }) => wellKnown !== undefined).map(({ table }) => table);
}

function jsonTypes(roots: readonly RootView[]): string[] {
  const used = new Set<WellKnown | undefined>(roots.map(({ wellKnown }) => wellKnown));
  return [
    ...(used.has('Struct') ? ['JsonObject'] : []),
    ...(used.has('Value') || used.has('ListValue') ? ['JsonValue'] : []),
  ];
}

function valueTypes(roots: readonly RootView[]): string[] {
  const used = new Set(roots.map(({ wellKnown }) => wellKnown));
  return [
    ...(used.has('BytesValue') ? ['ByteArray'] : []),
    'Input',
    ...(used.has('Timestamp') ? ['TimestampText'] : []),
  ];
}

function anyType(roots: readonly RootView[]): string[] {
  return roots.some(({ wellKnown }) => wellKnown === 'Any') ? ['AnyMessage'] : [];
}
