const numbers: Readonly<Record<string, string>> = {
  created_at: 'int8',
  updated_at: 'int8',
  completed_at: 'int8',
  wake_at: 'int8',
  epoch: 'int4',
  mutation_enabled: 'int4',
  mutation_seq: 'int4',
  mocked_node_count: 'int4',
};

/** PostgreSQL's type of a column of executions, for arrays of its values. */
export function executionColumnType(column: string): string {
  return numbers[column] ?? 'text';
}
