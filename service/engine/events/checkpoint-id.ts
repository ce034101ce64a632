/** Names the state after row `seq` of a run's journal. */
export function checkpointId(executionId: string, seq: number): string {
  return `${executionId}-${seq}`;
}

/** The row that a checkpoint of this run names; `undefined` for text that names none of its rows. */
export function checkpointSeq(executionId: string, checkpoint: string): number | undefined {
  const [, seq] = checkpoint.startsWith(`${executionId}-`)
    ? (/^-(0|[1-9]\d{0,8})$/.exec(checkpoint.slice(executionId.length)) ?? [])
    : [];
  return seq === undefined ? undefined : Number(seq);
}
