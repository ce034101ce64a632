import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { createRegistry, type MessageRegistry } from '../../service/messages/registry.ts';

/** Compiles sources with the real compiler; one text stands for one file, `test.proto`. */
export async function compiledRegistry(protos: string | Record<string, string>): Promise<MessageRegistry> {
  return createRegistry(await compileProtos(typeof protos === 'string' ? { 'test.proto': protos } : protos));
}
