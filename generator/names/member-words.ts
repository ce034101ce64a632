import type { SdkMember } from '../model/sdk-model.ts';
import type { FlowNames } from './plan-methods.ts';

/** The names that a language planned for members, by alias, and for their types, by full name. */
export interface MemberNames {
  calls: ReadonlyMap<string, string>;
  /** None for a language that makes them of the name of the call. */
  flows?: ReadonlyMap<string, FlowNames>;
  examples: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, string>;
}

/**
 * The words that what is printed of a member is remembered by, beside the member itself (`generator/remember.ts`): all names in it
 * but those of the package and the client. Undefined where a sample reaches too many types: what shows it is not remembered.
 */
export interface MemberWords {
  /** Of its methods: their names, and those of the types that they take and give. */
  call: string;
  /** Of a program that calls it: its file, and the names that a sample of the input is written in, as well. */
  program: string | undefined;
  /** Of all that an archive says of it: the names that a sample of the output is written in as well. */
  all: string | undefined;
}

/** @param reachWords the words of a sample, by the full name of its type (`reach-words.ts`). */
export function createMemberWords(
  { calls, flows, examples, types }: MemberNames,
  reachWords: (fullName: string) => string | undefined,
): (member: SdkMember) => MemberWords {
  const made = new Map<SdkMember, MemberWords>();
  const make = ({ alias, input, output }: SdkMember): MemberWords => {
    const { start, execution, warm } = flows?.get(alias) ?? {};
    const call = [calls.get(alias), start, execution, warm, types.get(input), types.get(output)].join(' ');
    const [asked, answered] = [reachWords(input), reachWords(output)];
    const program = asked === undefined ? undefined : [call, examples.get(alias), asked].join(' ');
    const isWhole = program !== undefined && answered !== undefined;
    return { call, program, all: isWhole ? `${program} ${answered}` : undefined };
  };
  return (member) => {
    const words = made.get(member) ?? make(member);
    made.set(member, words);
    return words;
  };
}
