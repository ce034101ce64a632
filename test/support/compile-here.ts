import { checkDescriptors } from '../../service/messages/compile/check-descriptors.ts';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import type { ProtoCompiler } from '../../service/messages/compile/proto-compiler.ts';

/** Compiles on the current thread, so that there are no threads to close. */
export const compileHere: Pick<ProtoCompiler, 'compile'> = {
  compile: async (_tenantId, sources) => {
    const descriptorSet = await compileProtos(sources);
    return { descriptorSet, messages: checkDescriptors(descriptorSet).messages };
  },
};
