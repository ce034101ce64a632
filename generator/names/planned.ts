/**
 * What was planned for a name of the model.
 * @throws Error when nothing was: the model and the plan are not of one kind.
 */
export function planned<Value>(plan: ReadonlyMap<string, Value>, name: string): Value {
  const found = plan.get(name);
  if (found === undefined) throw new Error(`nothing is planned for ${name}`);
  return found;
}
