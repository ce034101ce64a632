/** Reports whether a text has the form of an execution id. */
export function isExecutionId(text: string | undefined): text is string {
  return /^[0-9a-f]{32}$/i.test(text ?? "");
}
