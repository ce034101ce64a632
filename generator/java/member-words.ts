import { remembering } from '../../specs/remembering.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import type { JavaSdk } from './java-sdk.ts';

/** What code about a member is made of beside the member, as words for memories. */
interface MemberWords {
  /** Of a method that calls it: the names of its methods, and of the types that it takes and gives. */
  call: string;
  /**
   * Of a program of its own, its package and the client aside: the names that its sample is written in as well, and its file.
   * Undefined when its input reaches too many types.
   */
  program: string | undefined;
}

export function callWords(sdk: JavaSdk, { alias }: SdkMember): string | undefined {
  return wordsOf(sdk).get(alias)?.call;
}

export function programWords(sdk: JavaSdk, { alias }: SdkMember): string | undefined {
  return wordsOf(sdk).get(alias)?.program;
}

/** By alias. */
const wordsOf = remembering((sdk: JavaSdk): ReadonlyMap<string, MemberWords> => {
  const { callable, names, reachWords, texts } = sdk;
  return new Map(
    callable.map(({ alias, input, output }) => {
      const { start, execution, warm } = names.flows.get(alias) ?? {};
      const types = [input, output].map((fullName) => texts.ofRoot(fullName).boxed);
      const call = [names.calls.get(alias), start, execution, warm, ...types].join(' ');
      const sample = reachWords(input);
      const own = [names.examples.get(alias), call, sample];
      return [alias, { call, program: sample === undefined ? undefined : own.join(' ') }];
    }),
  );
});
