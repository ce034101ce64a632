import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { createReachWords } from '../names/reach-words.ts';
import { createMemory } from '../remember.ts';
import type { RustNames } from './plan-names.ts';

/** Gives a member the object that stands for all that is printed of it, its crate aside: what memories of members are of. */
export type PrintedAs = (member: SdkMember) => object;

/** By the words that this is made of: the member's own names, those of its types, and of all that its sample may name. */
const identities = createMemory<SdkMember, object>();

/** Members as the names of one plan print them. */
export function createPrintedAs(model: SdkModel, names: RustNames): PrintedAs {
  const { types, fields, values } = names;
  const reachWords = createReachWords(model.types, { types, parts: [fields, values] });
  const wordsOf = ({ alias, input, output }: SdkMember): string | undefined => {
    const reached = reachWords(input);
    if (reached === undefined) return undefined;
    const { calls, flows, examples } = names;
    return (
      JSON.stringify([calls.get(alias), flows.get(alias), examples.get(alias), types.get(output)]) + reached
    );
  };
  const known = new Map<SdkMember, object>();
  return (member) => {
    const identity = known.get(member) ?? identities.recall(member, wordsOf(member), () => ({}));
    known.set(member, identity);
    return identity;
  };
}
