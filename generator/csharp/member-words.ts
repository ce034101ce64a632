import { remembering } from '../../specs/remembering.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import type { CsharpSdk } from './csharp-sdk.ts';

/** What code about a member is made of beside the member, as words for memories. */
interface MemberWords {
  /** Of a method that calls it: its name, and those of the types that it takes and gives. */
  call: string;
  /**
   * Of a program of its own: the names that its sample is written in as well, its folder and the namespace. Undefined when its
   * input reaches too many types.
   */
  program: string | undefined;
}

export function callWords(sdk: CsharpSdk, { alias }: SdkMember): string | undefined {
  return wordsOf(sdk).get(alias)?.call;
}

export function programWords(sdk: CsharpSdk, { alias }: SdkMember): string | undefined {
  return wordsOf(sdk).get(alias)?.program;
}

/** By alias. */
const wordsOf = remembering((sdk: CsharpSdk): ReadonlyMap<string, MemberWords> => {
  const { callable, names, reachWords, texts } = sdk;
  return new Map(
    callable.map(({ alias, input, output }) => {
      const types = [input, output].map((fullName) => texts.ofRoot(fullName).type);
      const call = [names.calls.get(alias), ...types].join(' ');
      const sample = reachWords(input);
      const own = [sdk.package.namespace, names.examples.get(alias), call, sample];
      return [alias, { call, program: sample === undefined ? undefined : own.join(' ') }];
    }),
  );
});
