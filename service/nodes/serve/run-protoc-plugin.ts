import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import type { HandlerPlugin, SdkFile } from '../../../generator/language.ts';
import type { PackageTypes } from '../../../generator/model/package-types.ts';

/** A protoc plugin cannot be run, or reports an error. The message says what to do. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

/**
 * Runs a protoc plugin over the messages of a package, in the package's folder.
 *
 * @throws PluginError
 */
export async function runProtocPlugin(
  { command, parameter, missing }: HandlerPlugin,
  { descriptorSet }: PackageTypes,
  cwd: string,
): Promise<SdkFile[]> {
  const { file: protoFile } = fromBinary(FileDescriptorSetSchema, descriptorSet);
  const fileToGenerate = protoFile
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('google/protobuf/'));
  const request = create(CodeGeneratorRequestSchema, {
    protoFile,
    fileToGenerate,
    parameter: parameter(fileToGenerate),
  });
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, stdio: 'pipe' });
  const failure = once(child, 'error').then(([error]) => {
    throw new PluginError(`${program} cannot be started (${String(error)}): ${missing}`);
  });
  // The plugin may exit before it has read all of its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(toBinary(CodeGeneratorRequestSchema, request));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const run = Promise.all([buffer(child.stdout), text(child.stderr), closed]);
  const [stdout, stderr, [code]] = await Promise.race([run, failure]);
  if (code !== 0) throw new PluginError(`"${command.join(' ')}" failed in ${cwd}:\n${stderr.trim()}`);
  const { error, file } = fromBinary(CodeGeneratorResponseSchema, stdout);
  if (error !== '') throw new PluginError(error);
  return file.map(({ name, content }) => ({ path: name, content }));
}
