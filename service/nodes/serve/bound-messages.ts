import type { DescMessage } from '@bufbuild/protobuf';
import { BoundedCache } from '../../bounded-cache.ts';
import { createRegistry, type MessageRegistry } from '../../messages/registry.ts';
import type { Binding } from '../container/protocol.ts';
import { CallRefusal } from './call-refusal.ts';
import type { BoundMessages } from './node-handlers.ts';

/** Reads the messages that a call binds to generic ports. */
export type BindingReader = (binding: Binding) => BoundMessages;

/** Maximum number of cached bindings. Linking one takes milliseconds, and every call of an Instance sends the same one. */
const keptBindings = 100;

/**
 * Creates a reader, which throws CallRefusal for a binding that cannot be linked, or that names a message
 * that it does not define.
 */
export function createBindingReader(): BindingReader {
  const kept = new BoundedCache<string, MessageRegistry>(keptBindings);

  const link = (descriptorSet: Uint8Array): MessageRegistry => {
    const key = Buffer.from(descriptorSet).toString('latin1');
    return kept.getOrMake(key, () => createRegistry(descriptorSet));
  };

  return ({ instance, inputMessage, outputMessage, descriptorSet }) => {
    let registry: MessageRegistry;
    try {
      registry = link(descriptorSet);
    } catch (error) {
      throw new CallRefusal(
        'INVALID_ARGUMENT',
        `the binding of ${instance} cannot be read: ${String(error)}`,
      );
    }
    const find = (name: string): DescMessage | undefined => {
      if (name === '') return undefined;
      const type = registry.getMessage(name);
      if (type) return type;
      throw new CallRefusal('INVALID_ARGUMENT', `the binding of ${instance} does not define ${name}`);
    };
    return { instance, input: find(inputMessage), output: find(outputMessage), registry };
  };
}
