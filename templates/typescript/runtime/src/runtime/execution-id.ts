/** Reports whether a value has the form of an execution id. */
export function isExecutionId(id: unknown): id is string {
  return typeof id === "string" && /^[0-9a-f]{32}$/i.test(id);
}
