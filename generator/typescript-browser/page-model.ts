import type { SdkModel } from '../model/sdk-model.ts';

const models = new WeakMap<SdkModel, SdkModel>();

/** What pages may call of a client: its flows, since app keys reach nothing else. The same model for the same client. */
export function pageModel(model: SdkModel): SdkModel {
  const known = models.get(model);
  if (known !== undefined) return known;
  const made = { ...model, members: model.members.filter(({ type }) => type === 'flow') };
  models.set(model, made);
  return made;
}
