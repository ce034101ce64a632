import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { reduceModel, symbolsOf } from './reduce-model.ts';

/**
 * Reduces a model that fails: removes symbols in ever smaller groups, as long as it still fails.
 *
 * @param fails reports whether a model fails; called at most `attempts` times, because it runs a compiler
 */
export async function shrinkModel(
  model: SdkModel,
  fails: (model: SdkModel) => Promise<boolean>,
  attempts = 60,
): Promise<SdkModel> {
  let smallest = model;
  let left = attempts;
  const stillFails = async (candidate: SdkModel): Promise<boolean> => {
    // A client without members has no SDK.
    if (candidate.members.length === 0) return false;
    left -= 1;
    if (!(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  await stillFails(withoutComments(model));
  for (let size = Math.ceil(symbolsOf(smallest).length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; left > 0;) {
      const group = symbolsOf(smallest).slice(start, start + size);
      if (group.length === 0) break;
      // The next group now has the index of the removed one.
      if (!(await stillFails(reduceModel(smallest, new Set(group))))) start += size;
    }
  }
  return smallest;
}

function withoutComments(model: SdkModel): SdkModel {
  const plain = <T extends { comment: string }>(each: T): T => ({ ...each, comment: '' });
  const { messages, enums } = model.types;
  return {
    ...model,
    client: { ...model.client, name: 'Shop', description: '' },
    members: model.members.map(plain),
    types: {
      messages: messages.map((each) => ({
        ...plain(each),
        fields: each.fields.map(plain),
        oneofs: each.oneofs.map(plain),
      })),
      enums: enums.map((each) => ({ ...plain(each), values: each.values.map(plain) })),
    },
  };
}
