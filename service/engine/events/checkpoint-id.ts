/** Returns the id of the state after row `seq` of a run's journal. */
export function checkpointId(executionId: string, seq: number): string {
  return `${executionId}-${seq}`;
}

/** Returns the row of a checkpoint id, or `undefined` if the text is not a checkpoint id of this run. */
export function checkpointSeq(executionId: string, checkpoint: string): number | undefined {
  const [, seq] = checkpoint.startsWith(`${executionId}-`)
    ? (/^-(0|[1-9]\d{0,8})$/.exec(checkpoint.slice(executionId.length)) ?? [])
    : [];
  return seq === undefined ? undefined : Number(seq);
}
