import { checkDescriptors } from '../../service/messages/compile/check-descriptors.ts';
import type { ProtoCompiler } from '../../service/messages/compile/proto-compiler.ts';
import { compiledOnce } from './compiled-protos.ts';

/** Compiles on the current thread, so that no threads have to be closed. */
export const compileHere: Pick<ProtoCompiler, 'compile'> = {
  compile: async (_tenantId, sources) => {
    const descriptorSet = await compiledOnce(sources);
    return { descriptorSet, messages: checkDescriptors(descriptorSet).messages };
  },
};
