import { remembering } from '../../specs/remembering.ts';
import type { PrintedText } from '../language.ts';
import { createMemory } from '../remember.ts';

/** Namespace that the sources of the runtime are written in, and that each package puts its own in the place of. */
const placeholder = 'Svc.Runtime';

/**
 * A source of the runtime in the namespace of a package. C# has no relative namespaces: with one for all packages, a program
 * that uses two of them could name neither's types.
 */
export function runtimeContent(content: Uint8Array, namespace: string): PrintedText {
  return moved.recall(content, namespace, () => ({
    text: textOf(content).replaceAll(placeholder, namespace),
  }));
}

const textOf = remembering((content: Uint8Array) => new TextDecoder().decode(content));

const moved = createMemory<Uint8Array, PrintedText>();
