/**
 * Returns the planned entry for a name of the model.
 * @throws Error if the plan has no such entry: the plan belongs to another model.
 */
export function planned<Value>(plan: ReadonlyMap<string, Value>, name: string): Value {
  const found = plan.get(name);
  if (found === undefined) throw new Error(`nothing is planned for ${name}`);
  return found;
}
