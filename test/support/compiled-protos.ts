import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { createRegistry, type MessageRegistry } from '../../service/messages/registry.ts';

const compiled = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Compiles sources with the real compiler once per process, since many test files compile the same ones. */
export function compiledOnce(protos: Readonly<Record<string, string>>): Promise<Uint8Array<ArrayBuffer>> {
  const key = JSON.stringify(protos);
  const descriptorSet = compiled.get(key) ?? compileProtos(protos);
  compiled.set(key, descriptorSet);
  return descriptorSet;
}

/** Compiles sources like `compiledOnce`; a single text is the file `test.proto`. */
export async function compiledRegistry(protos: string | Record<string, string>): Promise<MessageRegistry> {
  return createRegistry(await compiledOnce(typeof protos === 'string' ? { 'test.proto': protos } : protos));
}
