import { createRuntimeMover } from '../render/runtime-mover.ts';

/** Namespace that the sources of the runtime are written in, and that each package puts its own in the place of. */
const placeholder = 'Svc.Runtime';

/**
 * A source of the runtime in the namespace of a package. C# has no relative namespaces: with one for all packages, a program
 * that uses two of them could name neither's types.
 */
export const runtimeContent = createRuntimeMover((text, namespace) =>
  text.replaceAll(placeholder, namespace),
);
