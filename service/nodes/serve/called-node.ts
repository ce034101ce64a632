import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { decodeMessage } from '../../messages/wire/decode-message.ts';
import type { CallContext } from '../container/protocol.ts';
import type { BindingReader } from './bound-messages.ts';
import { CallRefusal } from './call-refusal.ts';
import type { HostedNode, HostedPackage } from './load-package.ts';
import type { BoundMessages } from './node-handlers.ts';

/** The node of a call, and the message types of its ports in that call. */
interface CalledNode extends HostedNode {
  input: DescMessage;
  output: DescMessage;
  binding: BoundMessages | undefined;
  /** The messages that the handler may use: those of the package, and of the binding. */
  registries: readonly Registry[];
}

/**
 * Finds the node of a call.
 *
 * @throws CallRefusal if the call does not fit the package
 */
export function calledNode(
  { hosted, readBinding }: { hosted: HostedPackage; readBinding: BindingReader },
  context: CallContext,
  mode: 'unary' | 'pipeline',
): CalledNode {
  checkPackage(hosted, context);
  const node = findNode(hosted, context.node, mode);
  const binding = context.binding && readBinding(context.binding);
  return {
    ...node,
    binding,
    registries: binding ? [binding.registry, hosted.registry] : [hosted.registry],
    input: portType(hosted, node.declaration, binding, 'input'),
    output: portType(hosted, node.declaration, binding, 'output'),
  };
}

/** Refuses calls for other packages: the service may be configured with the endpoint of another container. */
function checkPackage(hosted: HostedPackage, { packageName, packageVersion }: CallContext): void {
  // Earlier versions of the service do not send these fields.
  if (packageName === '' || (packageName === hosted.name && packageVersion === hosted.version)) return;
  throw new CallRefusal(
    'FAILED_PRECONDITION',
    `this container serves ${hosted.name} ${hosted.version}, not ${packageName} ${packageVersion}: call that version, or deploy each at a container of its own`,
  );
}

function findNode(hosted: HostedPackage, name: string, mode: 'unary' | 'pipeline'): HostedNode {
  const node = hosted.nodes.get(name);
  if (node === undefined) {
    const names = [...hosted.nodes.keys()].join(', ');
    throw new CallRefusal(
      'NOT_FOUND',
      `${hosted.name}@${hosted.version} has no node ${JSON.stringify(name)}; it has ${names}`,
    );
  }
  const declared = node.declaration.mode;
  if (declared === mode) return node;
  const missing = mode === 'unary' ? 'unary calls' : 'streams';
  throw new CallRefusal('UNIMPLEMENTED', `${name} is a ${declared} node and has no ${missing}`);
}

/** Returns the message type of a port: the declared one, or on an open port the type that the call binds. */
function portType(
  { registry }: HostedPackage,
  declaration: HostedNode['declaration'],
  binding: BoundMessages | undefined,
  port: 'input' | 'output',
): DescMessage {
  const declared = declaration[port];
  const type = declared === undefined ? binding?.[port] : registry.getMessage(declared);
  if (type) return type;
  throw new CallRefusal(
    'FAILED_PRECONDITION',
    `the ${port} of ${declaration.name} is generic, and the call does not bind a message to it: call an Instance`,
  );
}

/** @throws CallRefusal */
export function readInput(type: DescMessage, bytes: Uint8Array): object {
  try {
    return decodeMessage(type, bytes);
  } catch (error) {
    const detail = thrownMessage(error);
    throw new CallRefusal('INVALID_ARGUMENT', `the input is not a ${type.typeName}: ${detail}`);
  }
}
