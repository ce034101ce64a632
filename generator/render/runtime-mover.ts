import { remembering } from '../../specs/remembering.ts';
import type { PrintedText } from '../language.ts';
import { createMemory } from '../remember.ts';

/** Gives a source of the runtime as it reads in the package of a client. */
export type RuntimeMover = (content: Uint8Array, packageName: string) => PrintedText;

/**
 * Moves sources of a language's runtime into packages of clients, each source once for a package.
 *
 * @param move gives the text as it reads in that package.
 */
export function createRuntimeMover(move: (text: string, packageName: string) => string): RuntimeMover {
  const moved = createMemory<Uint8Array, PrintedText>();
  return (content, packageName) =>
    moved.recall(content, packageName, () => ({ text: move(textOf(content), packageName) }));
}

const textOf = remembering((content: Uint8Array) => new TextDecoder().decode(content));
