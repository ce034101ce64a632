import type { SdkMember } from '../model/sdk-model.ts';
import type { MethodNames } from './plan-methods.ts';

/** The arguments of these calls, as a language writes them. */
interface FurtherArguments {
  /** Of a call with one message: `input`. */
  input: string;
  /** Of a call with many messages: `inputs`. */
  inputs: string;
  /** Of a call without input. Most languages have none. */
  none?: string;
  /** Id of a split stream: `id`. */
  streamId: string;
  /** Id of a run: `id`. */
  executionId: string;
}

/** Returns the calls of a member besides the one that waits for its output: `client.startWriteLetter(input)`. */
export function furtherCalls(
  { flows, uploads, sessions }: MethodNames,
  { alias, mode }: SdkMember,
  { input, inputs, none = '', streamId, executionId }: FurtherArguments,
): string[] {
  const upload = uploads.get(alias);
  const session = sessions.get(alias);
  if (upload !== undefined && session !== undefined)
    return [
      `client.${upload}(${inputs})`,
      `client.${session.create}(${none})`,
      `client.${session.find}(${streamId})`,
      `client.${session.open}(${none})`,
    ];
  const flow = flows.get(alias);
  if (flow === undefined) return [];
  const warm = `client.${flow.warm}(${none})`;
  return mode === 'pipeline'
    ? [warm]
    : [`client.${flow.start}(${input})`, `client.${flow.execution}(${executionId})`, warm];
}
